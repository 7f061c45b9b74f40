/** The formats that can be imported, with the names that people know. No code, so the console can import it. */
export const IMPORT_FORMAT_TITLES = {
  'hansard-json': 'Hansard JSON',
  'fireflies-json': 'Fireflies JSON',
  'podcast-json': 'Podcasting 2.0 JSON',
  'vexa-json': 'Vexa JSON',
  'deepgram-json': 'Deepgram JSON',
  'aws-transcribe-json': 'AWS Transcribe JSON',
  'assemblyai-json': 'AssemblyAI JSON',
  'fathom-json': 'Fathom JSON',
  'granola-json': 'Granola JSON',
  'whisper-json': 'Whisper JSON',
  json: 'JSON',
  'teams-vtt': 'Microsoft Teams WebVTT',
  'zoom-vtt': 'Zoom WebVTT',
  vtt: 'WebVTT',
  srt: 'SubRip',
  sbv: 'SubViewer',
  ttml: 'TTML',
  tsv: 'Whisper TSV',
  'hansard-markdown': 'Hansard document',
  'hansard-text': 'Hansard text',
  'google-meet-text': 'Google Meet text',
  'otter-text': 'Otter text',
  'fireflies-text': 'Fireflies text',
  text: 'text',
} as const satisfies Record<string, string>

export type ImportFormat = keyof typeof IMPORT_FORMAT_TITLES
export const IMPORT_FORMATS = Object.keys(IMPORT_FORMAT_TITLES) as [ImportFormat, ...ImportFormat[]]

export const MAX_IMPORT_BYTES = 20 * 1024 * 1024
