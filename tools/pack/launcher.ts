import { basename } from 'node:path'

/** A command of the archive, and its program in the folder `server`. */
export type Command = { readonly name: string; readonly program: string }

/** The commands beside the server, by the scripts of package.json that run a program of `server/cli`. */
export function listCommands(scripts: Readonly<Record<string, string>>): Command[] {
  return Object.entries(scripts).flatMap(([name, script]) => {
    const [, file] = /^node (server\/cli\/\w+\.ts)$/.exec(script) ?? []
    return file === undefined ? [] : [{ name, program: basename(file, '.ts') }]
  })
}

type Settings = {
  /** Of Node, for the server alone: a command ends soon. */
  readonly flags: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** The archive's one program, for any POSIX shell: it finds Node, and becomes the server or a command. */
export function toLauncher(commands: readonly Command[], { flags, env }: Settings): string {
  const names = commands.map(({ name }) => name)
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  return `#!/bin/sh
# Runs Chainboard, or one of its commands, with the Node in PATH or in NODE.
set -eu

usage() {
  echo "Usage: chainboard [command] [arguments]"
  echo "  Without a command, it runs the server until it is stopped."
  echo "  Commands: ${names.join(' ')}"
}

node=\${NODE:-node}
version=$("$node" -p process.versions.node 2>/dev/null) || {
  echo "Chainboard needs Node 24 or newer. It found no Node that runs as '$node'" >&2
  exit 2
}
if [ "\${version%%.*}" -lt 24 ]; then
  echo "Chainboard needs Node 24 or newer. '$node' is Node $version" >&2
  exit 2
fi

here=$(dirname -- "$(readlink -f -- "$0")")
if [ $# -eq 0 ]; then
  if [ -z "\${NETWORK:-}" ]; then
    echo "Set NETWORK to the name of a network file in networks/, or make one: chainboard init --rpc <url>" >&2
    exit 2
  fi
  exec env ${settings.join(' ')} "$node" ${flags.join(' ')} "$here/server/main.js"
fi

command=$1
shift
case $command in
${commands.map(({ name, program }) => `  ${name}) program=${program} ;;`).join('\n')}
  help | --help | -h)
    usage
    exit 0
    ;;
  *)
    echo "Chainboard has no command '$command'" >&2
    usage >&2
    exit 2
    ;;
esac
exec "$node" "$here/server/$program.js" "$@"
`
}
