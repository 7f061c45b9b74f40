/** The samples that one frame adds. A long window has twice as many. */
export const FRAME_LENGTH = 1024
const SHORT_LENGTH = 128
/** Where the first of the eight short windows begins. */
const SHORT_START = (FRAME_LENGTH - SHORT_LENGTH) / 2

export const LONG_ONLY = 0
export const LONG_START = 1
export const EIGHT_SHORT = 2
export const LONG_STOP = 3

/** The shape of a window: 0 for a sine, 1 for Kaiser-Bessel. */
export type WindowShape = 0 | 1

/** Rising halves of the windows, by shape. */
const LONG_WINDOWS = [createSineWindow(FRAME_LENGTH), createKaiserWindow(FRAME_LENGTH, 4)] as const
const SHORT_WINDOWS = [createSineWindow(SHORT_LENGTH), createKaiserWindow(SHORT_LENGTH, 6)] as const

function createSineWindow(length: number): Float32Array {
  return Float32Array.from({ length }, (_, n) => Math.sin((Math.PI / (2 * length)) * (n + 0.5)))
}

function createKaiserWindow(length: number, alpha: number): Float32Array {
  const weights = Array.from({ length: length + 1 }, (_, n) =>
    besselI0(Math.PI * alpha * Math.sqrt(1 - ((2 * n) / length - 1) ** 2)),
  )
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let sum = 0
  return Float32Array.from({ length }, (_, n) => {
    sum += weights[n]!
    return Math.sqrt(sum / total)
  })
}

/** The modified Bessel function of the first kind and order 0, as its power series. */
function besselI0(x: number): number {
  let term = 1
  let sum = 1
  for (let k = 1; term > sum * 1e-12; k += 1) {
    term *= (x / (2 * k)) ** 2
    sum += term
  }
  return sum
}

/** The inverse transform of `length` coefficients into twice as many samples. */
function createInverseTransform(length: number) {
  const half = length / 2
  const fft = createFft(half)
  const real = new Float64Array(half)
  const imaginary = new Float64Array(half)
  const cosine = Float64Array.from({ length: half }, (_, k) =>
    Math.cos((Math.PI * (4 * k + 1)) / (4 * length)),
  )
  const sine = Float64Array.from({ length: half }, (_, k) =>
    Math.sin((Math.PI * (4 * k + 1)) / (4 * length)),
  )
  const folded = new Float64Array(length)

  /** A cosine transform of type IV, by a complex Fourier transform of half the length. */
  const transform = (input: Float32Array, offset: number) => {
    for (let k = 0; k < half; k += 1) {
      const a = input[offset + 2 * k]!
      const b = input[offset + length - 1 - 2 * k]!
      real[k] = a * cosine[k]! + b * sine[k]!
      imaginary[k] = b * cosine[k]! - a * sine[k]!
    }
    fft(real, imaginary)
    for (let n = 0; n < half; n += 1) {
      const a = real[n]!
      const b = imaginary[n]!
      folded[2 * n] = a * cosine[n]! + b * sine[n]!
      folded[length - 1 - 2 * n] = a * sine[n]! - b * cosine[n]!
    }
  }

  return (input: Float32Array, offset: number, output: Float32Array) => {
    transform(input, offset)
    for (let n = 0; n < half; n += 1) {
      output[n] = folded[n + half]! / length
      output[half + n] = -folded[length - 1 - n]! / length
      output[length + n] = -folded[half - 1 - n]! / length
      output[length + half + n] = -folded[n]! / length
    }
  }
}

/** A Fourier transform in place. The length is a power of two. */
function createFft(length: number) {
  const bits = Math.log2(length)
  const reversed = Uint16Array.from({ length }, (_, index) => {
    let value = 0
    for (let bit = 0; bit < bits; bit += 1) value |= ((index >> bit) & 1) << (bits - 1 - bit)
    return value
  })
  const cosine = Float64Array.from({ length: length / 2 }, (_, k) =>
    Math.cos((2 * Math.PI * k) / length),
  )
  const sine = Float64Array.from(
    { length: length / 2 },
    (_, k) => -Math.sin((2 * Math.PI * k) / length),
  )

  return (real: Float64Array, imaginary: Float64Array) => {
    for (let index = 0; index < length; index += 1) {
      const other = reversed[index]!
      if (other <= index) continue
      const a = real[index]!
      real[index] = real[other]!
      real[other] = a
      const b = imaginary[index]!
      imaginary[index] = imaginary[other]!
      imaginary[other] = b
    }
    for (let size = 2; size <= length; size *= 2) {
      const half = size / 2
      const step = length / size
      for (let start = 0; start < length; start += size)
        for (let k = 0; k < half; k += 1) {
          const low = start + k
          const high = low + half
          const c = cosine[k * step]!
          const s = sine[k * step]!
          const a = real[high]! * c - imaginary[high]! * s
          const b = real[high]! * s + imaginary[high]! * c
          real[high] = real[low]! - a
          imaginary[high] = imaginary[low]! - b
          real[low] = real[low]! + a
          imaginary[low] = imaginary[low]! + b
        }
    }
  }
}

const transformLong = createInverseTransform(FRAME_LENGTH)
const transformShort = createInverseTransform(SHORT_LENGTH)

/** Turns the spectra of one channel into samples. Each frame overlaps with the previous one. */
export function createFilterBank() {
  let overlap = new Float32Array(FRAME_LENGTH)
  let previousShape: WindowShape = 0
  const block = new Float32Array(2 * FRAME_LENGTH)
  const shortBlock = new Float32Array(2 * SHORT_LENGTH)

  const addShortWindows = (spectrum: Float32Array, shape: WindowShape) => {
    block.fill(0)
    for (let window = 0; window < 8; window += 1) {
      transformShort(spectrum, window * SHORT_LENGTH, shortBlock)
      const rising = SHORT_WINDOWS[window === 0 ? previousShape : shape]
      const falling = SHORT_WINDOWS[shape]
      const start = SHORT_START + window * SHORT_LENGTH
      for (let n = 0; n < SHORT_LENGTH; n += 1) {
        block[start + n]! += shortBlock[n]! * rising[n]!
        block[start + SHORT_LENGTH + n]! +=
          shortBlock[SHORT_LENGTH + n]! * falling[SHORT_LENGTH - 1 - n]!
      }
    }
  }
  const applyLongWindow = (spectrum: Float32Array, sequence: number, shape: WindowShape) => {
    transformLong(spectrum, 0, block)
    const rises = (n: number): number => {
      if (sequence !== LONG_STOP) return LONG_WINDOWS[previousShape][n]!
      return readShortSlope(SHORT_WINDOWS[previousShape], n)
    }
    const falls = (n: number): number => {
      if (sequence !== LONG_START) return LONG_WINDOWS[shape][FRAME_LENGTH - 1 - n]!
      return readShortSlope(SHORT_WINDOWS[shape], FRAME_LENGTH - 1 - n)
    }
    for (let n = 0; n < FRAME_LENGTH; n += 1) {
      block[n]! *= rises(n)
      block[FRAME_LENGTH + n]! *= falls(n)
    }
  }

  return (spectrum: Float32Array, sequence: number, shape: WindowShape): Float32Array => {
    if (sequence === EIGHT_SHORT) addShortWindows(spectrum, shape)
    else applyLongWindow(spectrum, sequence, shape)
    const samples = new Float32Array(FRAME_LENGTH)
    for (let n = 0; n < FRAME_LENGTH; n += 1) samples[n] = (overlap[n]! + block[n]!) / 32_768
    overlap = block.slice(FRAME_LENGTH)
    previousShape = shape
    return samples
  }
}

/** A slope as short as that of a short window, in the middle of half a long one. */
function readShortSlope(window: Float32Array, n: number): number {
  if (n < SHORT_START) return 0
  return n < SHORT_START + SHORT_LENGTH ? window[n - SHORT_START]! : 1
}
