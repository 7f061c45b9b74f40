/** The platforms that have a stage. */
export const REHEARSAL_PLATFORMS = ['meet', 'teams'] as const
export type RehearsalPlatform = (typeof REHEARSAL_PLATFORMS)[number]
