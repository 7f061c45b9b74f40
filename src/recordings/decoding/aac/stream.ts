import type { WindowShape } from './filter-bank.ts'

/** How the coefficients of a frame are divided into windows, groups of windows and bands. */
export type StreamInfo = {
  sequence: number
  shape: WindowShape
  maxBand: number
  /** How many windows each group has. */
  groups: readonly number[]
  starts: Uint16Array
}

/** One channel of one frame. Bands are numbered over all groups: group × maxBand + band. */
export type ChannelStream = {
  info: StreamInfo
  codebooks: Uint8Array
  /** Scale factors, directions of intensity stereo, or energies of noise, depending on the codebook. */
  factors: Int16Array
  shaping: NoiseShaping | null
  spectrum: Float32Array
}

/** Codebooks that stand for something else than coefficients. */
export const ZERO = 0
export const NOISE = 13
export const INTENSITY_INVERSE = 14
export const INTENSITY = 15

/** A correction of one coefficient, before scaling. */
export type Pulse = { at: number; amount: number }

/** A filter over the coefficients of some bands. */
export type Filter = { length: number; isDownward: boolean; coefficients: Float64Array }
/** Temporal noise shaping: the filters of each window. */
export type NoiseShaping = ReadonlyArray<readonly Filter[]>
