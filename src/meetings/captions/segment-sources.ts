/**
 * Where a segment's text comes from: captions of the platform, speech that Hansard recognized, an imported
 * transcript, or the platform's official transcript of a meeting that a bot attended.
 */
export const SEGMENT_SOURCES = ['captions', 'speech', 'imported', 'official'] as const
export type SegmentSource = (typeof SEGMENT_SOURCES)[number]

export const SEGMENT_SOURCE_DESCRIPTION =
  '`captions`: captions of the platform; `speech`: speech that Hansard recognized; `imported`: an imported transcript; `official`: the official transcript of the platform'
export const INCOMPLETE_DESCRIPTION =
  'True when words before or in the segment are missing, because speech could not be recognized completely; absent otherwise'
