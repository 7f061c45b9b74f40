import { createHash } from 'node:crypto'
import type { EngineFiles } from './workers/process/sherpa-engine.ts'

/** An npm package in exactly one version, and the files that are taken from it. */
export type SpeechPackage = {
  name: string
  version: string
  /** The hash of the whole package, in npm's notation. */
  integrity: string
  /** Path in the package → path in the installed folder. */
  files: Readonly<Record<string, string>>
}

export type SpeechRuntime = EngineFiles['runtime']

const SHERPA_VERSION = '1.13.8'

/** Maps files of a package to the same names in a folder. */
function filesTo(folder: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `${folder}/${name}`]))
}

const SHERPA_NODE: SpeechPackage = {
  name: 'sherpa-onnx-node',
  version: SHERPA_VERSION,
  integrity:
    'sha512-MsDMBdhLFTZ1GwvcGSSQhnS7g/EA8OMH6IYysCVUOM7j8Icty9KRc0E6YT1A5fWBsZwRfKOeh88QC95aRvS8ag==',
  files: filesTo('sherpa-onnx-node', [
    'package.json',
    'addon-static-import.js',
    'addon.js',
    'audio-tagg.js',
    'keyword-spotter.js',
    'non-streaming-asr.js',
    'non-streaming-speaker-diarization.js',
    'non-streaming-speech-denoiser.js',
    'non-streaming-tts.js',
    'online-speech-denoiser.js',
    'punctuation.js',
    'resampler.js',
    'sherpa-onnx.js',
    'speaker-identification.js',
    'spoken-language-identification.js',
    'streaming-asr.js',
    'types.js',
    'vad.js',
  ]),
}

const SHERPA_WEBASSEMBLY: SpeechPackage = {
  name: 'sherpa-onnx',
  version: SHERPA_VERSION,
  integrity:
    'sha512-bsZ7K55hNakFbCVIrCsuwEFLLiWa/1/KI6dXEK3CwtI6N/j/Zc1LMheo1syMJhG0e4gu7MXPwbtKfbm44BQYIg==',
  files: filesTo('sherpa-onnx', [
    'package.json',
    'index.js',
    'sherpa-onnx-asr.js',
    'sherpa-onnx-kws.js',
    'sherpa-onnx-punctuation.js',
    'sherpa-onnx-speaker-diarization.js',
    'sherpa-onnx-speech-enhancement.js',
    'sherpa-onnx-tts.js',
    'sherpa-onnx-vad.js',
    'sherpa-onnx-wasm-nodejs.js',
    'sherpa-onnx-wasm-nodejs.wasm',
    'sherpa-onnx-wave.js',
  ]),
}

/** The hashes of the packages with native programs, by operating system and processor. */
const NATIVE_INTEGRITIES: Readonly<Record<string, string>> = {
  'linux-x64':
    'sha512-6plnhjagsSeTntCgnlag86hWbs/uZE9Crms1LgOb68/1nKsIQjMd+WG519m+aPwT6TrsBOiEMzrx41t8sL5L5g==',
  'linux-arm64':
    'sha512-Tlg7a70b/Wge3OF8IgTHF9jhSVCsLyKQKhwc4BsJ5A+dL/SrFtGBjzuHp4XeLhiiOT7afCxX5PdSn/D4c8Lnuw==',
  'darwin-x64':
    'sha512-7BLRpjM6w4f9W46/nmkmq8lEKUayhebvcpslCVQ+6QN2uReYlZEMDZlSpXMjme+hUFrPfRz8P3UNq8ep/4d19g==',
  'darwin-arm64':
    'sha512-FPNgJMgnWVl/KhRTIhG3KL3A4Om63Rn4YKXc9/uHY7SzLcvqLJLc/h7UBWJwduXvv7K18t5NpxHR6XgXn4sjWw==',
}

/** The weights, which all runtimes use. */
const WEIGHTS: readonly SpeechPackage[] = [
  {
    name: '@usefulsensors/moonshine-js',
    // Later versions replace the English weights with others whose licence forbids commercial use.
    version: '0.1.15',
    integrity:
      'sha512-SR0NMPcY0lusFaY+kvimwCaasi9zMUBNiFLYPbID5/EafY+Eg9ZgHGCQO0fjVqQdF0D8bAPEyDo0I9Dq9uQo1w==',
    files: {
      'dist/model/base/quantized/encoder_model.onnx': 'weights/encoder_model.onnx',
      'dist/model/base/quantized/decoder_model_merged.onnx': 'weights/decoder_model_merged.onnx',
    },
  },
  {
    name: '@ricky0123/vad-web',
    version: '0.0.31',
    integrity:
      'sha512-ePVq8TvB21sdHSxVMZOEIf9JVa7MAYpaIaNXeGgsPOiMCN8xbPCdF2LS5aYj7VRR3ZxzutedgV9ZplV65IA1Fg==',
    files: { 'dist/silero_vad_v6.onnx': 'weights/silero_vad.onnx' },
  },
  {
    name: 'llama-tokenizer-js',
    version: '1.2.2',
    integrity:
      'sha512-Wmth393dc3odWU3IzARJ3r2oIfWgw9GdJ5Gm+hGhfECNO18UHLRqEFSf511jn4E9KcQGzuuKw4Wl08pHAemLAw==',
    files: { 'llama-tokenizer.js': 'vocabulary.js' },
  },
]

/** What one runtime needs, and its file that is loaded. */
export type RuntimeParts = {
  runtime: SpeechRuntime
  main: string
  packages: readonly SpeechPackage[]
}

/** The runtimes for a machine, best first. */
export function listRuntimes(platform: string, arch: string): RuntimeParts[] {
  const native = createNativePackage(platform, arch)
  const webAssembly: RuntimeParts = {
    runtime: 'webassembly',
    main: 'sherpa-onnx/index.js',
    packages: [SHERPA_WEBASSEMBLY, ...WEIGHTS],
  }
  if (native === null) return [webAssembly]
  return [
    {
      runtime: 'native',
      main: 'sherpa-onnx-node/sherpa-onnx.js',
      packages: [SHERPA_NODE, native, ...WEIGHTS],
    },
    webAssembly,
  ]
}

function createNativePackage(platform: string, arch: string): SpeechPackage | null {
  const integrity = NATIVE_INTEGRITIES[`${platform}-${arch}`]
  if (integrity === undefined) return null
  const name = `sherpa-onnx-${platform}-${arch}`
  const ending = platform === 'darwin' ? 'dylib' : 'so'
  const libraries = ['libonnxruntime', 'libsherpa-onnx-c-api', 'libsherpa-onnx-cxx-api']
  return {
    name,
    version: SHERPA_VERSION,
    integrity,
    files: filesTo(name, [
      'package.json',
      'sherpa-onnx.node',
      ...libraries.map((library) => `${library}.${ending}`),
    ]),
  }
}

/** Increase this if the installed folder of the same packages changes. */
const LAYOUT = 1

/** The folder's name for these parts. Other parts have another name. */
export function versionOf({ runtime, packages }: RuntimeParts): string {
  const content = JSON.stringify([LAYOUT, packages])
  return `${runtime}-${createHash('sha256').update(content).digest('hex').slice(0, 12)}`
}
