import { SAMPLE_RATE } from '../cutting/sound.ts'

const HEADER_BYTES = 44
const BYTES_PER_SAMPLE = 2

/** A WAV file in memory: mono, 16 bit. */
export function encodeWav(samples: Int16Array): Uint8Array<ArrayBuffer> {
  const dataBytes = samples.length * BYTES_PER_SAMPLE
  const file = Buffer.from(new ArrayBuffer(HEADER_BYTES + dataBytes))
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(HEADER_BYTES - 8 + dataBytes, 4)
  file.write('WAVEfmt ', 8, 'latin1')
  file.writeUInt32LE(16, 16)
  // 1: samples without compression; 1: one channel.
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(SAMPLE_RATE, 24)
  file.writeUInt32LE(SAMPLE_RATE * BYTES_PER_SAMPLE, 28)
  file.writeUInt16LE(BYTES_PER_SAMPLE, 32)
  file.writeUInt16LE(BYTES_PER_SAMPLE * 8, 34)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(dataBytes, 40)
  for (let index = 0; index < samples.length; index += 1)
    file.writeInt16LE(samples[index]!, HEADER_BYTES + index * BYTES_PER_SAMPLE)
  return file
}
