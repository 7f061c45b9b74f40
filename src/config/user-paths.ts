import { isAbsolute, join } from 'node:path'

/**
 * Where the installed package finds its data and its settings, by the XDG base directory specification. It says that a
 * relative path in one of its variables counts as not set.
 */
export function findUserPaths({
  env,
  home,
}: {
  env: Readonly<Record<string, string | undefined>>
  home: string
}): { data: string; settingsFile: string } {
  const folder = (name: string, standard: string) => {
    const given = env[name] ?? ''
    return join(isAbsolute(given) ? given : join(home, standard), 'hansard')
  }
  return {
    data: folder('XDG_DATA_HOME', '.local/share'),
    settingsFile: join(folder('XDG_CONFIG_HOME', '.config'), '.env'),
  }
}
