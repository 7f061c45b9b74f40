/**
 * How an earlier meeting belongs to an upcoming one. `series`: it is of the same series, or has the same title in the
 * same project. `people`: at least half of the other invited people took part.
 */
export const MEETING_RELATIONS = ['series', 'people'] as const
export type MeetingRelation = (typeof MEETING_RELATIONS)[number]

/** How long before a meeting a brief is made. */
export const BRIEF_MINUTES = { min: 5, max: 1_440, default: 30 } as const

/** How many minutes before their meetings people can get briefs by mail. */
export const BRIEF_MAIL_MINUTES = [15, 30, 60, 120] as const
