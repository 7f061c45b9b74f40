/**
 * How an earlier meeting belongs to an upcoming one. `series`: it is of the same series, or has the same title in the
 * same project. `people`: at least half of the other invited people took part.
 */
export const MEETING_RELATIONS = ['series', 'people'] as const
export type MeetingRelation = (typeof MEETING_RELATIONS)[number]
