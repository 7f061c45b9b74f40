import { PLATFORM_INFO, type RehearsalPlatformName } from '../platforms/platform-info.ts'
import { PLATFORM_NAMES } from '../platforms/platform.ts'

/** A platform that the stage simulates, by its name on the command line. */
export type RehearsalPlatformCliName =
  (typeof PLATFORM_INFO)[RehearsalPlatformName]['rehearsal']['cliName']

const STAGED_PLATFORMS = PLATFORM_NAMES.flatMap((name) => {
  const { rehearsal } = PLATFORM_INFO[name]
  return rehearsal === null ? [] : [{ ...rehearsal, name: name as RehearsalPlatformName }]
})

export const REHEARSAL_PLATFORM_CLI_NAMES: readonly RehearsalPlatformCliName[] =
  STAGED_PLATFORMS.map(({ cliName }) => cliName)

/** Returns the platform's name in the registry, and the stage meetings that a rehearsal joins. */
export function requireRehearsalPlatform(
  cliName: RehearsalPlatformCliName,
): (typeof STAGED_PLATFORMS)[number] {
  const found = STAGED_PLATFORMS.find((staged) => staged.cliName === cliName)
  if (found === undefined) throw new Error(`the stage does not play ${cliName}`)
  return found
}
