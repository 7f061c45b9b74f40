/** The scale factor bands of a sample rate: where each band starts, and where the last one ends. */
export type Bands = { long: Uint16Array; short: Uint16Array; tnsLong: number; tnsShort: number }

/** Widths of bands, as pairs of a width and how often it follows (ISO/IEC 14496-3, tables 4.129 to 4.147). */
type Widths = ReadonlyArray<readonly [width: number, count: number]>

const LONG_96: Widths = [
  [4, 14],
  [8, 5],
  [12, 5],
  [16, 2],
  [24, 1],
  [28, 1],
  [36, 1],
  [44, 1],
  [64, 11],
]
const LONG_64: Widths = [
  [4, 14],
  [8, 4],
  [12, 3],
  [16, 3],
  [20, 1],
  [24, 2],
  [28, 1],
  [36, 1],
  [40, 18],
]
const LONG_48: Widths = [
  [4, 10],
  [8, 7],
  [12, 4],
  [16, 2],
  [20, 2],
  [24, 2],
  [28, 2],
  [32, 19],
  [96, 1],
]
const LONG_32: Widths = [
  [4, 10],
  [8, 7],
  [12, 4],
  [16, 2],
  [20, 2],
  [24, 2],
  [28, 2],
  [32, 22],
]
const LONG_24: Widths = [
  [4, 11],
  [8, 10],
  [12, 4],
  [16, 3],
  [20, 2],
  [24, 2],
  [28, 2],
  [32, 1],
  [36, 2],
  [40, 1],
  [44, 1],
  [48, 1],
  [52, 2],
  [64, 5],
]
const LONG_16: Widths = [
  [8, 11],
  [12, 9],
  [16, 4],
  [20, 3],
  [24, 2],
  [28, 2],
  [32, 1],
  [36, 1],
  [40, 2],
  [44, 1],
  [48, 1],
  [52, 1],
  [56, 1],
  [60, 1],
  [64, 3],
]
const LONG_8: Widths = [
  [12, 13],
  [16, 7],
  [20, 4],
  [24, 3],
  [28, 2],
  [32, 1],
  [36, 2],
  [40, 1],
  [44, 1],
  [48, 1],
  [52, 1],
  [56, 1],
  [60, 1],
  [64, 1],
  [80, 1],
]
const SHORT_64: Widths = [
  [4, 6],
  [8, 3],
  [16, 1],
  [28, 1],
  [36, 1],
]
const SHORT_48: Widths = [
  [4, 5],
  [8, 3],
  [12, 3],
  [16, 3],
]
const SHORT_24: Widths = [
  [4, 7],
  [8, 3],
  [12, 2],
  [16, 2],
  [20, 1],
]
const SHORT_16: Widths = [
  [4, 8],
  [8, 2],
  [12, 2],
  [16, 1],
  [20, 2],
]
const SHORT_8: Widths = [
  [4, 7],
  [8, 4],
  [12, 1],
  [16, 1],
  [20, 2],
]

/** For sample rates from `rate` up. `tns…` is the number of bands to which temporal noise shaping is applied. */
const BANDS_BY_RATE: ReadonlyArray<{
  rate: number
  long: Widths
  short: Widths
  tnsLong: number
  tnsShort: number
}> = [
  { rate: 92_017, long: LONG_96, short: SHORT_64, tnsLong: 31, tnsShort: 9 },
  { rate: 75_132, long: LONG_96, short: SHORT_64, tnsLong: 31, tnsShort: 9 },
  { rate: 55_426, long: LONG_64, short: SHORT_64, tnsLong: 34, tnsShort: 10 },
  { rate: 46_009, long: LONG_48, short: SHORT_48, tnsLong: 40, tnsShort: 14 },
  { rate: 37_566, long: LONG_48, short: SHORT_48, tnsLong: 42, tnsShort: 14 },
  { rate: 27_713, long: LONG_32, short: SHORT_48, tnsLong: 51, tnsShort: 14 },
  { rate: 18_783, long: LONG_24, short: SHORT_24, tnsLong: 46, tnsShort: 14 },
  { rate: 9_391, long: LONG_16, short: SHORT_16, tnsLong: 42, tnsShort: 14 },
  { rate: 0, long: LONG_8, short: SHORT_8, tnsLong: 39, tnsShort: 14 },
]

export function findBands(sampleRate: number): Bands {
  const { long, short, tnsLong, tnsShort } = BANDS_BY_RATE.find(({ rate }) => sampleRate >= rate)!
  return { long: toStarts(long), short: toStarts(short), tnsLong, tnsShort }
}

function toStarts(widths: Widths): Uint16Array {
  const starts = [0]
  for (const [width, count] of widths)
    for (let i = 0; i < count; i += 1) starts.push(starts.at(-1)! + width)
  return Uint16Array.from(starts)
}
