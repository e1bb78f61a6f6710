// The caller's environment, as the processes of a benchmark get it.

/** For a server: without what decides where it reads and writes, which each benchmark says itself. */
export function serverEnv(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { DATABASE_URL: _database, PUBLIC_URL: _url, ...env } = process.env
  return { ...env, ...settings }
}

/** For npm in another project: `npm run` tells its children where its own project is. */
export function npmEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(package|lifecycle|config_local)/.test(name)))
}
