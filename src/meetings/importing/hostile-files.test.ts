import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { UnreadableTranscript } from './formats/found-transcript.ts'
import { readTranscriptFile } from './read-transcript-file.ts'

const read = (content: string) =>
  readTranscriptFile({ content, fileName: null, format: null, timeZone: 'UTC' })

function problemsOf(content: string): string {
  try {
    read(content)
  } catch (error) {
    if (error instanceof UnreadableTranscript) return error.message
    throw error
  }
  return 'none'
}

const cue = (times: string, text = '<v Ada>Hi') => `WEBVTT\n\n${times}\n${text}\n`
const segment = (fields: object) => JSON.stringify({ segments: [fields] }, null, 1)

/** Each file, with the line and reason in its error. */
const UNREADABLE: ReadonlyArray<[file: string, content: string, problem: RegExp]> = [
  ['an empty file', '', /^Line 1: The file is empty$/],
  ['a file of white space', '\ufeff \r\n\t\n', /^Line 1: The file is empty$/],
  ['a Word document', 'PK\u0003\u0004\u0014\0\u0006', /^Line 1: This is a Word document/],
  ...['WAV', 'MP3', 'Ogg', 'WebM', 'MP4'].map((kind, index): [string, string, RegExp] => [
    `a recording in ${kind}`,
    [
      'RIFF$\ufffd\ufffd\0WAVEfmt ',
      'ID3\u0004\0\0',
      'OggS\0\u0002',
      '\u001aE\ufffd\ufffd',
      '\0\0\0\u001cftypM4A ',
    ][index]!,
    /^Line 1: This is a recording\. Send it with POST \/api\/v1\/recordings/,
  ]),
  ['a PDF', '%PDF-1.7\n', /^Line 1: This is a PDF/],
  ['a web page', '<!DOCTYPE html><html>', /^Line 1: This is a web page/],
  ['UTF-16 that was read as UTF-8', 'A\0d\0a\0:\0', /^Line 1: The text contains NUL characters/],
  [
    'a binary file without NUL',
    String.fromCharCode(...Array.from({ length: 2_000 }, (_, i) => ((i * 37) % 255) + 1)),
    /^Line 1: This is not a text file/,
  ],
  [
    'a text in another encoding',
    '\ufffd\ufffd\ufffd\ufffd\ufffd: \ufffd\ufffd\ufffd\ufffd\n',
    /^Line 1: .*its encoding is unknown/,
  ],
  [
    'a file of more than a million lines, before any format is tried,',
    `{${'\n'.repeat(1_000_001)}`,
    /^Line 1000000: The file has more than 1,000,000 lines$/,
  ],
  [
    'a text of a million lines without an empty one',
    'so we go on\n'.repeat(1_000_000),
    /^Line 250000: The file has more than 250,000 lines$/,
  ],
  [
    'an XML file of another kind',
    '<?xml version="1.0"?>\n<transcript><text start="1" dur="2">Hi</text></transcript>',
    /^Line 1: This is an XML file that is not TTML/,
  ],
  [
    'a SubStation file',
    '[Script Info]\nTitle: x\n\n[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,x,,0,0,0,,Hi\n',
    /^Line 1: This is an Advanced SubStation Alpha file/,
  ],
  ['a NUL further below', 'Ada: Hi\nBen: \0', /^Line 2: The text contains NUL/],
  [
    'a line of 5 MB',
    `Ada: Hi\n${'a'.repeat(5_000_000)}`,
    /^Line 2: The line is longer than 100,000 characters$/,
  ],
  ['no cues', 'WEBVTT\n\nNOTE nothing\n', /^Line 1: No spoken text was found/],
  [
    'a cue of 75 minutes',
    cue('01:75:00.000 --> 01:76:00.000'),
    /^Line 3: “01:75:00.000” has 75 minutes/,
  ],
  [
    'a cue of 99 seconds',
    cue('00:00:99.000 --> 00:02:00.000'),
    /^Line 3: “00:00:99.000” has 99 seconds/,
  ],
  [
    'a cue after 200 hours',
    cue('200:00:00.000 --> 200:00:01.000'),
    /^Line 3: .*more than 168 hours/,
  ],
  [
    'a cue that ends before it starts',
    cue('00:00:05.000 --> 00:00:04.000'),
    /^Line 3: The cue ends \(00:00:04.000\) before/,
  ],
  [
    'a wrong arrow',
    cue('00:00:05.000 -> 00:00:06.000'),
    /^Line 3: “00:00:05.000 -> .*is not of the form/,
  ],
  ['words in place of times', cue('soon --> later'), /^Line 3: “soon” is not a time/],
  [
    'a number without times',
    '1\n00:00:01,000 --> 00:00:02,000\nAda: Hi\n\n2\nBen: Hello\n',
    /^Line 5: “2” is followed by no times/,
  ],
  [
    'two transcripts in one file',
    `${cue('00:40:00.000 --> 00:40:01.000')}\n00:00:01.000 --> 00:00:02.000\n<v Ben>Hello\n`,
    /^Line 6: The cue starts 40 minutes before a cue above it/,
  ],
  [
    'JSON that was cut off',
    '{\n "segments": [\n  {"speaker": "Ada",',
    /^Line 3: The JSON is not valid here/,
  ],
  ['other JSON', '{"a": 1}', /^Line 1: This JSON cannot be read/],
  ['an empty list', '[]', /^Line 1: No spoken text was found/],
  ['deep JSON', `{"segments":${'['.repeat(100_000)}`, /^Line 1: The JSON has more than 64 levels/],
  [
    'a segment without a time',
    segment({ speaker: 'Ada', text: 'Hi' }),
    /^Line 3: Segment 1 has no time “timestamp”/,
  ],
  [
    'a segment without a text',
    segment({ timestamp: '2026-11-15T08:30:00Z' }),
    /^Line 3: Segment 1 has no text “text”/,
  ],
  [
    'a segment that is a number',
    '{"segments": [\n{"text": "a", "timestamp": "2026-11-15T08:30:00Z"},\n7]}',
    /^Line 3: Segment 2 is not an object$/,
  ],
  [
    'a segment that is a text',
    '{"segments": [\n{"text": "a, [", "timestamp": "2026-11-15T08:30:00Z"},\n\n"x"]}',
    /^Line 4: Segment 2 is not an object$/,
  ],
  [
    'segments that are years apart',
    '{"segments": [{"text": "a", "timestamp": "2020-11-15T08:30:00Z"}, {"text": "b", "timestamp": "2026-11-15T08:30:00Z"}]}',
    /^Line 1: A text has a time long before/,
  ],
  ['a SAMI file', '<SAMI>\n<BODY>\n<SYNC Start=0><P>Hi\n', /^Line 1: This is a SAMI file/],
  ['a part of a web page', '<cite>Ada:</cite>\n<time>0:00</time>\n<p>Hi</p>\n', /is a web page/],
  [
    'a Hansard text with another line',
    'T\nPlatform: x\nStarted: 2026-11-15T08:30:00.000Z\n\nAda said hi\n',
    /^Line 5: Expected a line such as/,
  ],
  [
    'too many segments',
    `WEBVTT\n\n${'00:00:01.000 --> 00:00:02.000\n<v Ada>Hi\n\n'.repeat(20_001)}`,
    /^Line 60003: The transcript has more than 20,000 segments$/,
  ],
]

for (const [file, content, problem] of UNREADABLE) {
  test(`${file} is refused with line and reason`, () => {
    assert.match(problemsOf(content), problem)
  })
}

test('several problems are reported together, but not all of thousands', () => {
  const bad = '00:00:05.000 --> 00:00:04.000\n<v Ada>Hi\n\n'
  const message = problemsOf(`WEBVTT\n\n${bad.repeat(5_000)}`)
  assert.match(message, /^Line 3: .*Line 6: .*Line 9: /)
  assert.equal(message.match(/Line \d+/g)?.length, 10)
})

test('a cue after 25 hours is accepted', () => {
  assert.equal(read(cue('25:00:00.000 --> 25:00:01.000')).segments[0]?.startMs, 90_000_000)
})

test('control characters are removed, and markup in names and texts stays text', () => {
  const { segments } = read(
    'Ada\u001b[31m: Hi \u0007there\u202e\n<script>alert(1)</script>: <img src=x onerror=alert(1)>\n',
  )
  assert.deepEqual(
    segments.map(({ speaker, text }) => [speaker, text]),
    [
      ['Ada[31m', 'Hi there'],
      ['<script>alert(1)</script>', '<img src=x onerror=alert(1)>'],
    ],
  )
})

/** Texts on which a careless regular expression takes minutes or years. They may be read or refused. */
const SLOW_TEXTS: ReadonlyArray<[name: string, content: string]> = [
  ['spaces', `a${' '.repeat(90_000)}b\n`.repeat(20)],
  ['joiners', `a${'\u200d'.repeat(90_000)}b\n`.repeat(5)],
  ['asterisks', `00:00:00\nAda: a\n${'*'.repeat(90_000)}\n`.repeat(20)],
  [
    'opened voices',
    `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n${`${'<v '.repeat(30_000)}\n`.repeat(20)}`,
  ],
  ['spaces after times', `00:01${' '.repeat(90_000)}b\n`.repeat(20)],
  ['spaces after bold names', `**Ada**${' '.repeat(90_000)}b\n`.repeat(20)],
  ['open paragraphs', `<tt>${'<p begin="1s">'.repeat(1_000_000)}`],
  ['colons', `${':'.repeat(90_000)}\n`.repeat(20)],
  ['digits', `${'1'.repeat(90_000)}\n`.repeat(20)],
  ['brackets', `${'['.repeat(90_000)}\n`.repeat(20)],
  ['tags', `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n${`${'<c '.repeat(30_000)}\n`.repeat(20)}`],
]

for (const [name, content] of SLOW_TEXTS) {
  test(`a file full of ${name} is read or refused`, () => {
    const problem = problemsOf(content)
    assert.ok(problem === 'none' || problem.startsWith('Line '))
  })
}
