import { PLATFORM_INFO, type StagedPlatformName } from '../platforms/platform-info.ts'
import { PLATFORM_NAMES } from '../platforms/platform.ts'

/** A platform that the stage plays, by its name on the command line. */
export type RehearsalPlatformCliName =
  (typeof PLATFORM_INFO)[StagedPlatformName]['rehearsal']['cliName']

const STAGED_PLATFORMS = PLATFORM_NAMES.flatMap((name) => {
  const { rehearsal } = PLATFORM_INFO[name]
  return rehearsal === null ? [] : [{ ...rehearsal, name: name as StagedPlatformName }]
})

export const REHEARSAL_PLATFORM_CLI_NAMES: readonly RehearsalPlatformCliName[] =
  STAGED_PLATFORMS.map(({ cliName }) => cliName)

/** The platform's name in the registry, and the stage meetings that a rehearsal joins. */
export function requireStagedPlatform(
  cliName: RehearsalPlatformCliName,
): (typeof STAGED_PLATFORMS)[number] {
  const found = STAGED_PLATFORMS.find((staged) => staged.cliName === cliName)
  if (found === undefined) throw new Error(`the stage does not play ${cliName}`)
  return found
}
