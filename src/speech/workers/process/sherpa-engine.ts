import { createRequire } from 'node:module'
import { join } from 'node:path'
import { FRAME_SAMPLES, SAMPLE_RATE } from '../../sound.ts'
import type { SpeechDetector } from '../../utterance-cutter.ts'

/** The content of an installed folder: the runtime, and where it and the weights are. */
export type EngineFiles = {
  runtime: 'native' | 'webassembly'
  /** The file that is loaded, relative to the folder. */
  main: string
  folder: string
}

export const WEIGHT_FILES = {
  encoder: 'weights/encoder_model.onnx',
  decoder: 'weights/decoder_model_merged.onnx',
  tokens: 'weights/tokens.txt',
  detector: 'weights/silero_vad.onnx',
} as const

type Stream = {
  acceptWaveform(wave: { samples: Float32Array; sampleRate: number }): void
  acceptWaveform(sampleRate: number, samples: Float32Array): void
  free?(): void
}
type Recognizer = {
  createStream(): Stream
  decode(stream: Stream): void
  getResult(stream: Stream): { text: string }
}
type Vad = {
  acceptWaveform(samples: Float32Array): void
  isEmpty(): boolean
  pop(): void
  isDetected(): boolean
  reset(): void
}
type NativeModule = {
  OfflineRecognizer: new (config: object) => Recognizer
  Vad: new (config: object, bufferSeconds: number) => Vad
}
type WebAssemblyModule = {
  createOfflineRecognizer(config: object): Recognizer
  createVad(config: object): Vad
}

/** How much uninterrupted speech a detector can store. It is reset before that. */
const DETECTOR_BUFFER_SECONDS = 30

/** A speech model and a voice detector in this process. All calls are synchronous. */
export type SpeechEngine = ReturnType<typeof openSherpaEngine>

const LONGEST_SPEECH_FRAMES = Math.floor((20 * SAMPLE_RATE) / FRAME_SAMPLES)
/** Native memory is freed only by JavaScript's garbage collection, which runs too seldom on an idle heap. */
const RECOGNITIONS_PER_COLLECTION = 10

/** Loads the installed runtime and weights. Throws if this machine cannot use them. */
export function openSherpaEngine({ runtime, main, folder }: EngineFiles) {
  const path = (name: keyof typeof WEIGHT_FILES) => join(folder, WEIGHT_FILES[name])
  const loaded: unknown = createRequire(import.meta.url)(join(folder, main))
  const recognizerConfig = {
    featConfig: { sampleRate: SAMPLE_RATE, featureDim: 80 },
    modelConfig: {
      moonshine: {
        preprocessor: '',
        encoder: path('encoder'),
        uncachedDecoder: '',
        cachedDecoder: '',
        mergedDecoder: path('decoder'),
      },
      tokens: path('tokens'),
      numThreads: 1,
      provider: 'cpu',
      debug: 0,
    },
  }
  const detectorConfig = {
    sileroVad: {
      model: path('detector'),
      threshold: 0.4,
      minSilenceDuration: 0.1,
      minSpeechDuration: 0.03,
      maxSpeechDuration: 10 * DETECTOR_BUFFER_SECONDS,
      windowSize: FRAME_SAMPLES,
    },
    sampleRate: SAMPLE_RATE,
    numThreads: 1,
    provider: 'cpu',
    debug: 0,
    bufferSizeInSeconds: DETECTOR_BUFFER_SECONDS,
  }
  const parts =
    runtime === 'native'
      ? openNative(loaded as NativeModule, recognizerConfig)
      : openWebAssembly(loaded as WebAssemblyModule, recognizerConfig)
  let recognitions = 0
  return {
    createDetector: () => wrapVad(parts.createVad(detectorConfig)),
    recognize(samples: Int16Array) {
      recognitions += 1
      if (recognitions % RECOGNITIONS_PER_COLLECTION === 0) globalThis.gc?.()
      return parts.recognize(toFloats(samples))
    },
  }
}

type RuntimeParts = {
  recognize(samples: Float32Array): string
  createVad(config: object): Vad
}

function openNative(sherpa: NativeModule, config: object): RuntimeParts {
  const recognizer = new sherpa.OfflineRecognizer(config)
  return {
    recognize(samples) {
      const stream = recognizer.createStream()
      stream.acceptWaveform({ samples, sampleRate: SAMPLE_RATE })
      recognizer.decode(stream)
      return recognizer.getResult(stream).text
    },
    createVad: (vadConfig) => new sherpa.Vad(vadConfig, DETECTOR_BUFFER_SECONDS),
  }
}

function openWebAssembly(sherpa: WebAssemblyModule, config: object): RuntimeParts {
  const recognizer = sherpa.createOfflineRecognizer(config)
  return {
    recognize(samples) {
      const stream = recognizer.createStream()
      try {
        stream.acceptWaveform(SAMPLE_RATE, samples)
        recognizer.decode(stream)
        return recognizer.getResult(stream).text
      } finally {
        stream.free?.()
      }
    },
    createVad: (vadConfig) => sherpa.createVad(vadConfig),
  }
}

function wrapVad(vad: Vad): SpeechDetector {
  let speechFrames = 0
  return {
    isSpeech(samples) {
      vad.acceptWaveform(toFloats(samples))
      // The detector also collects the speech that it finds. It is not needed here.
      while (!vad.isEmpty()) vad.pop()
      const isSpeech = vad.isDetected()
      speechFrames = isSpeech ? speechFrames + 1 : 0
      if (speechFrames >= LONGEST_SPEECH_FRAMES) {
        vad.reset()
        speechFrames = 0
      }
      return isSpeech
    },
    reset() {
      vad.reset()
      speechFrames = 0
    },
  }
}

function toFloats(samples: Int16Array): Float32Array {
  return Float32Array.from(samples, (sample) => sample / 32_768)
}
