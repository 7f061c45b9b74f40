import type { RecordingInfo } from './decoding/decoder-messages.ts'

/**
 * `uploading`: parts of the file are missing. `waiting`: it waits for a node. `processing`: a node recognizes it.
 * `imported`: it is a meeting now. `failed`: it could not be read or recognized.
 */
export const RECORDING_STATES = [
  'uploading',
  'waiting',
  'processing',
  'imported',
  'failed',
] as const
export type RecordingState = (typeof RECORDING_STATES)[number]
/** A recording that waits and has an owner is being processed. */
export type StoredRecordingState = Exclude<RecordingState, 'processing'>

export type Recording = {
  id: string
  project: string
  fileName: string
  title: string | null
  state: RecordingState
  byteCount: number
  /** How many parts were stored. */
  partCount: number
  createdAt: Date
  info: RecordingInfo | null
  positionMs: number
  detail: string | null
  meetingId: string | null
}

/** A file is sent in parts of this size; the last one is smaller. */
export const PART_BYTES = 4 * 1024 * 1024

export function countParts(byteCount: number): number {
  return Math.ceil(byteCount / PART_BYTES)
}

/** How much of a recording is recognized, from 0 to 100. Null while that is not known. */
export function progressPercent({ state, info, positionMs }: Recording): number | null {
  if (state === 'imported') return 100
  // A duration of less than half a millisecond is 0.
  if (info === null || info.durationMs === null || info.durationMs === 0) return null
  return Math.min(99, Math.floor((100 * positionMs) / info.durationMs))
}
