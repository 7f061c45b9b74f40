/** The platforms that have a stage. */
export const REHEARSED = ['meet', 'teams'] as const
export type Rehearsed = (typeof REHEARSED)[number]
