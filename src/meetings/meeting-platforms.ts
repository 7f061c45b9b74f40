import { PLATFORM_NAMES, type PlatformName } from '../bots/platforms/platform.ts'

/** The platform of a meeting that no bot attended: its transcript was imported. */
export const IMPORTED_PLATFORM = 'imported'

/** Where a meeting took place: on a platform that bots can join, or unknown for an import. */
export type MeetingPlatform = PlatformName | typeof IMPORTED_PLATFORM
export const MEETING_PLATFORMS = [...PLATFORM_NAMES, IMPORTED_PLATFORM] as const
