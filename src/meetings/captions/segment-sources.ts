/**
 * Where a segment's text comes from: captions of the platform, speech that Hansard recognized, or an imported
 * transcript.
 */
export const SEGMENT_SOURCES = ['captions', 'speech', 'imported'] as const
export type SegmentSource = (typeof SEGMENT_SOURCES)[number]

export const SEGMENT_SOURCE_DESCRIPTION =
  '`captions`: captions of the platform; `speech`: speech that Hansard recognized; `imported`: an imported transcript'
export const INCOMPLETE_DESCRIPTION =
  'True when words before or in the segment are missing, because speech could not be recognized completely; absent otherwise'
