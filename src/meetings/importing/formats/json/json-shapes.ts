import type { ImportFormat } from '../../format-names.ts'

/**
 * How a product writes transcripts as JSON. Paths contain the keys and indexes of nested values. `*` stands for every
 * element of a list, and an empty path for the file itself. The first path that has a value is used.
 */
export type JsonShape = {
  /** The lists that contain the texts. */
  lists: readonly string[]
  text: readonly string[]
  start: readonly string[]
  end: readonly string[]
  speaker: readonly string[]
  /** Instants are dates with times. If null, the unit is guessed from how fast people would have to speak. */
  unit: 'seconds' | 'milliseconds' | 'instants' | null
  /** Paths in the file or in the first text. One of them is found only in files of this product. */
  marks?: readonly string[]
  title?: readonly string[]
  startedAt?: readonly string[]
  participants?: readonly string[]
  durationMinutes?: readonly string[]
  /** A list that gives the speakers of the texts, matched by start time. */
  speakersByStart?: string
}

/** The JSON formats that differ only in the names and units of their fields. */
export type JsonFormat = Exclude<Extract<ImportFormat, `${string}json`>, 'hansard-json'>

/** The first shape that fits a file is used, so special shapes come before general ones. */
export const JSON_SHAPES: Readonly<Record<JsonFormat, JsonShape>> = {
  'fireflies-json': {
    lists: ['data.transcript.sentences', 'transcript.sentences', 'data.sentences', 'sentences', ''],
    text: ['sentence', 'text', 'raw_text'],
    start: ['startTime', 'start_time'],
    end: ['endTime', 'end_time'],
    speaker: ['speaker_name', 'speakerName', 'speaker_id', 'speakerId'],
    unit: 'seconds',
    marks: ['sentence', 'speaker_name', 'speakerName', 'raw_text'],
    title: ['data.transcript.title', 'transcript.title', 'data.title', 'title'],
    startedAt: ['dateString', 'date'].flatMap((name) => [
      `data.transcript.${name}`,
      `transcript.${name}`,
      `data.${name}`,
      name,
    ]),
    durationMinutes: [
      'data.transcript.duration',
      'transcript.duration',
      'data.duration',
      'duration',
    ],
  },
  'podcast-json': {
    lists: ['segments'],
    text: ['body'],
    start: ['startTime'],
    end: ['endTime'],
    speaker: ['speaker'],
    unit: 'seconds',
  },
  'vexa-json': {
    lists: ['segments'],
    text: ['text'],
    start: ['absolute_start_time'],
    end: ['absolute_end_time'],
    speaker: ['speaker'],
    unit: 'instants',
    title: ['data.name', 'name'],
    startedAt: ['start_time'],
  },
  'deepgram-json': {
    lists: ['results.utterances', 'results.channels.*.alternatives.0.words'],
    text: ['transcript', 'punctuated_word', 'word'],
    start: ['start'],
    end: ['end'],
    speaker: ['speaker'],
    unit: 'seconds',
  },
  'aws-transcribe-json': {
    lists: ['results.audio_segments', 'results.items'],
    text: ['transcript', 'alternatives.0.content'],
    start: ['start_time'],
    end: ['end_time'],
    speaker: ['speaker_label'],
    unit: 'seconds',
    marks: ['alternatives.0.content', 'transcript'],
    speakersByStart: 'results.speaker_labels.segments.*.items',
  },
  'assemblyai-json': {
    lists: ['utterances', 'sentences', 'words'],
    text: ['text'],
    start: ['start'],
    end: ['end'],
    speaker: ['speaker'],
    unit: 'milliseconds',
    marks: ['audio_duration', 'acoustic_model'],
  },
  'fathom-json': {
    lists: ['transcript', 'meeting.transcript'],
    text: ['text'],
    start: ['timestamp'],
    end: [],
    speaker: ['speaker.display_name', 'speaker'],
    unit: 'seconds',
    title: ['meeting_title', 'title', 'meeting.meeting_title', 'meeting.title'],
    startedAt: ['recording_start_time', 'meeting.recording_start_time', 'scheduled_start_time'],
    participants: ['calendar_invitees.*.name', 'meeting.calendar_invitees.*.name'],
  },
  'granola-json': {
    lists: ['transcript', ''],
    text: ['text'],
    start: ['start_time', 'start_timestamp'],
    end: ['end_time', 'end_timestamp'],
    speaker: ['speaker.name', 'speaker.source', 'source'],
    unit: 'instants',
    marks: ['speaker.source', 'source'],
    title: ['title'],
    participants: ['attendees.*.name'],
  },
  'whisper-json': {
    lists: ['segments', 'transcription', 'speakers', 'chunks'],
    text: ['text'],
    start: ['start', 'timestamps.from', 'timestamp.0'],
    end: ['end', 'timestamps.to', 'timestamp.1'],
    speaker: ['speaker'],
    unit: 'seconds',
    marks: [
      'language',
      'result.language',
      'word_segments',
      'timestamps.from',
      'timestamp.0',
      'seek',
    ],
  },
  json: {
    lists: [
      '',
      'utterances',
      'segments',
      'sentences',
      'transcript_segments',
      'transcript',
      'words',
      'transcripts.*.words',
    ],
    text: ['text', 'sentence', 'word', 'transcript', 'content', 'body'],
    start: ['start', 'start_ms', 'startMs', 'start_time', 'startTime', 'begin', 'from'],
    end: ['end', 'end_ms', 'endMs', 'end_time', 'endTime', 'to'],
    speaker: [
      'speaker.name',
      'speaker.value.label',
      'speaker.value.index',
      'speaker',
      'speaker_name',
      'speakerName',
      'speaker_label',
      'speakerLabel',
      'speaker_id',
      'speakerId',
    ],
    unit: null,
    title: ['title', 'name'],
  },
}

export const JSON_FORMATS = Object.keys(JSON_SHAPES) as JsonFormat[]

/** Products whose files cannot be read, with a path that only their files and those further below have. */
export const UNREADABLE_JSON: ReadonlyArray<{ path: string; product: string }> = [
  { path: 'recognizedPhrases', product: 'Azure Speech' },
  { path: 'results.0.alternatives.0.timestamps', product: 'IBM Watson' },
  { path: 'results.0.alternatives.0.content', product: 'Speechmatics' },
  { path: 'results.0.alternatives', product: 'Google Speech-to-Text' },
]
