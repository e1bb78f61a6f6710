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
  readonly machine: string
}

/** Commands that need no network file: the one that makes it, and the one that asks a site. */
const withoutNetwork = ['init', 'verify']

/**
 * The archive's one program, for any POSIX shell: it finds Node, and becomes the server or a command.
 * @param machine what the archive was packed for, as `process.platform` and `process.arch` have it: `linux-x64`
 */
export function toLauncher(commands: readonly Command[], { flags, env, machine }: Settings): string {
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

case \${1:-} in
  help | --help | -h)
    usage
    exit 0
    ;;
esac

node=\${NODE:-node}
if ! command -v "$node" >/dev/null; then
  echo "Chainboard needs Node 24 or newer, and found no '$node'. Put Node into PATH, or its path into NODE" >&2
  exit 2
fi
found=$("$node" -p 'process.versions.node + " " + process.platform + "-" + process.arch + " " + os.availableParallelism()') || exit 2
cores=\${found##* }
found=\${found% *}
version=\${found% *}
machine=\${found#* }
if [ "\${version%%.*}" -lt 24 ]; then
  echo "Chainboard needs Node 24 or newer. '$node' is Node $version" >&2
  exit 2
fi
if [ "$machine" != ${machine} ]; then
  echo "This archive is for ${machine}, and '$node' is for $machine. Pack another one on such a machine" >&2
  exit 2
fi

here=$(dirname -- "$(readlink -f -- "$0")")
needs_network() {
  [ -n "\${NETWORK:-}" ] && return
  echo "Set NETWORK to the name of a network file in networks/, or make one: chainboard init --rpc <url>" >&2
  exit 2
}

if [ $# -eq 0 ]; then
  needs_network
  # Threads with which V8 helps itself: fewer than cores, up to four.
  helpers=$((cores > 4 ? 4 : cores > 1 ? cores - 1 : 1))
  exec env ${settings.join(' ')} "$node" ${flags.join(' ')} --v8-pool-size=$helpers "$here/server/main.js"
fi

command=$1
shift
case $command in
${commands.map(({ name, program }) => `  ${name}) program=${program} ;;`).join('\n')}
  *)
    echo "Chainboard has no command '$command'" >&2
    usage >&2
    exit 2
    ;;
esac
case $command in
  ${withoutNetwork.join(' | ')}) ;;
  *) needs_network ;;
esac
exec "$node" "$here/server/$program.js" "$@"
`
}
