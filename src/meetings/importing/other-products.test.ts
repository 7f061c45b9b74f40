import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { ImportFormat } from './format-names.ts'
import { UnreadableTranscript } from './formats/found-transcript.ts'
import { readTranscriptFile } from './read-transcript-file.ts'

/** Files in other products' formats, and the lines that they become. */
const FILES: ReadonlyArray<{
  name: string
  format: ImportFormat
  content: string
  lines: string[]
}> = [
  {
    name: 'rolling captions of YouTube',
    format: 'vtt',
    content: `WEBVTT
Kind: captions
Language: en

00:00:00.160 --> 00:00:02.310 align:start position:0%
\u0020
good<00:00:00.480><c> morning</c><00:00:00.800><c> all</c>

00:00:02.310 --> 00:00:02.320 align:start position:0%
good morning all
\u0020

00:00:02.320 --> 00:00:04.550 align:start position:0%
good morning all
the<00:00:02.600><c> budget</c><00:00:03.000><c> is</c><00:00:03.300><c> late</c>

00:00:04.550 --> 00:00:04.560 align:start position:0%
the budget is late
\u0020

00:00:04.560 --> 00:00:06.000 align:start position:0%
the budget is late
so<00:00:04.900><c> we</c><00:00:05.200><c> wait</c>
`,
    lines: [
      '160 Unknown speaker: good morning all',
      '2320 Unknown speaker: the budget is late',
      '4560 Unknown speaker: so we wait',
    ],
  },
  {
    name: 'rolling captions of three lines',
    format: 'srt',
    content: ['a b', 'a b\nc d', 'a b\nc d\ne f', 'c d\ne f\ng h', 'e f\ng h\ni j']
      .map((text, i) => `${i + 1}\n00:00:0${i},000 --> 00:00:0${i + 1},000\n${text}\n`)
      .join('\n'),
    lines: ['a b', 'c d', 'e f', 'g h', 'i j'].map(
      (text, i) => `${i * 1000} Unknown speaker: ${text}`,
    ),
  },
  {
    name: 'people who say the same several times',
    format: 'srt',
    content: ['Yes.', 'Yes.', 'Yes.', 'Yes.', 'No.']
      .map((text, i) => `${i + 1}\n00:00:0${i},000 --> 00:00:0${i + 1},000\n${text}\n`)
      .join('\n'),
    lines: ['Yes.', 'Yes.', 'Yes.', 'Yes.', 'No.'].map(
      (text, i) => `${i * 1000} Unknown speaker: ${text}`,
    ),
  },
  {
    name: 'facts above a copied transcript of Granola',
    format: 'text',
    content:
      'Meeting Title: Weekly\nDate: Nov 15\nMeeting participants: Ada, Ben\n\nTranscript:\n \nMe: Good morning.\nThem: Hello.\nMe: The budget is late.\nThem: By how much?\n',
    lines: [
      '0 Unknown speaker: Date: Nov 15',
      '800 Me: Good morning.',
      '1667 Them: Hello.',
      '2067 Me: The budget is late.',
      '3334 Them: By how much?',
    ],
  },
  {
    name: 'other facts above a conversation',
    format: 'text',
    content:
      'Customer: Apollo\nOffice: Paris\n\nAda: Good morning.\nBen: Hello.\nAda: Shall we?\nBen: Yes.\nCleo: I agree.\n',
    lines: [
      '0 Unknown speaker: Customer: Apollo Office: Paris',
      '2000 Ada: Good morning.',
      '2867 Ben: Hello.',
      '3267 Ada: Shall we?',
      '3867 Ben: Yes.',
      '4134 Cleo: I agree.',
    ],
  },
  {
    name: 'somebody who speaks once before the others',
    format: 'text',
    content: 'Operator: Welcome.\n\nAda: Hello.\n\nBen: Hi.\n\nAda: Yes.\n\nBen: No.\n',
    lines: [
      '0 Operator: Welcome.',
      '534 Ada: Hello.',
      '934 Ben: Hi.',
      '1134 Ada: Yes.',
      '1401 Ben: No.',
    ],
  },
  {
    name: 'a round in which nobody speaks twice',
    format: 'text',
    content: ['Ada', 'Ben', 'Cleo', 'Dan']
      .map((name, i) => `[00:0${i}] ${name}: I am done.\n`)
      .join(''),
    lines: ['Ada', 'Ben', 'Cleo', 'Dan'].map((name, i) => `${i * 1000} ${name}: I am done.`),
  },
  {
    name: 'facts without a conversation',
    format: 'text',
    content: 'Customer: Apollo\nOffice: Paris\nOwner: Ada\nBudget: 5,000\n\nWe met at noon.\n',
    lines: [
      '0 Unknown speaker: Customer: Apollo Office: Paris Owner: Ada Budget: 5,000',
      '3667 Unknown speaker: We met at noon.',
    ],
  },
  {
    name: 'a remark that returns between paragraphs',
    format: 'text',
    content: 'Remark: cut.\n\nWe met.\n\nIt rained.\n\nRemark: cut again.\n\nWe left.\n',
    lines: [
      '0 Unknown speaker: Remark: cut.',
      '800 Unknown speaker: We met.',
      '1267 Unknown speaker: It rained.',
      '1934 Unknown speaker: Remark: cut again.',
      '3134 Unknown speaker: We left.',
    ],
  },
  {
    name: 'a heading with a time',
    format: 'text',
    content: '**Lunch** (12:30)\nWe came back.\n\nIt was late.\n',
    lines: [
      '0 Unknown speaker: Lunch (12:30): We came back.',
      '1867 Unknown speaker: It was late.',
    ],
  },
  {
    name: 'chapters with times',
    format: 'text',
    content: ['Opening', 'Budget', 'Hiring', 'Closing']
      .map((title, i) => `${title} - 0${i}:00\nWe talked.\n`)
      .join('\n'),
    lines: [
      '0 Unknown speaker: Opening - 00:00 We talked.',
      '1734 Unknown speaker: Budget - 01:00 We talked.',
      '3401 Unknown speaker: Hiring - 02:00 We talked.',
      '5068 Unknown speaker: Closing - 03:00 We talked.',
    ],
  },
  {
    name: 'a bold heading with a time below a title',
    format: 'text',
    content: '# Workshop\n\nAda opened the day.\n\n**Break** 00:30:00\n\nWe came back.\n',
    lines: [
      '0 Unknown speaker: Workshop',
      '534 Unknown speaker: Ada opened the day.',
      '1801 Unknown speaker: **Break** 00:30:00',
      '3001 Unknown speaker: We came back.',
    ],
  },
  {
    name: 'headings with colons that return, above questions and answers',
    format: 'text',
    content:
      '# Budget: a plan\n\nWe met.\n\n# Budget: a decision\n\nWe agreed.\n\nQ: Why?\n\nA: It was late.\n\nQ: How late?\n\nA: A week.\n',
    lines: [
      '0 Unknown speaker: Budget: a plan',
      '934 Unknown speaker: We met.',
      '1401 Unknown speaker: Budget: a decision',
      '2601 Unknown speaker: We agreed.',
      '3268 Q: Why?',
      '3535 A: It was late.',
      '4335 Q: How late?',
      '4935 A: A week.',
    ],
  },
  ...['@0:01 - **Ada (Acme)**', '00:01 Ada (Acme)', '[00:00:01.00] - Ada (Acme)'].map((header) => ({
    name: `names behind times, above the texts, such as ${header}`,
    format: 'text' as const,
    content: [
      [header, 'Good morning.'],
      [header.replace('01', '04').replace('Ada', 'Ben'), 'Hello, Ada.'],
      [header.replace('01', '07'), 'Shall we wait?'],
      [header.replace('01', '09').replace('Ada', 'Ben'), 'Yes.'],
    ]
      .map((lines) => `${lines.join('\n')}\n`)
      .join('\n'),
    lines: [
      '1000 Ada (Acme): Good morning.',
      '4000 Ben (Acme): Hello, Ada.',
      '7000 Ada (Acme): Shall we wait?',
      '9000 Ben (Acme): Yes.',
    ],
  })),
  {
    name: 'labels that return',
    format: 'text',
    content:
      'Decision: we ship.\n\nAction: Ben writes.\n\nDecision: we wait.\n\nAction: Ada calls.\n',
    lines: [
      '0 Unknown speaker: Decision: we ship.',
      '1200 Unknown speaker: Action: Ben writes.',
      '2467 Unknown speaker: Decision: we wait.',
      '3667 Unknown speaker: Action: Ada calls.',
    ],
  },
  {
    name: 'numbered speakers in the subtitles of WhisperX',
    format: 'srt',
    content:
      '1\n00:00:01,500 --> 00:00:03,000\n[SPEAKER_00]: Good morning.\n\n2\n00:00:04,000 --> 00:00:05,000\n[SPEAKER_01]: Hello, Ada.\n',
    lines: ['1500 Speaker 1: Good morning.', '4000 Speaker 2: Hello, Ada.'],
  },
  {
    name: 'names as headings',
    format: 'text',
    content: '### Ada:\n\nGood morning.\n\n### Ben Ito:\n\nHello, Ada.\n',
    lines: ['0 Ada: Good morning.', '867 Ben Ito: Hello, Ada.'],
  },
  {
    name: 'a podcast with times after some names, and above paragraphs that go on',
    format: 'text',
    content:
      '**Ada:** Good morning.\n\n**Ben Ito:** \\[00:04\\] Hello, Ada.\n\nThe budget is late.\n\n\\[00:09\\] By a week.\n\n**Break:** \\[00:15\\]\n\n**Ada:** \\[00:20\\] Thank you.\n\n\\[00:25\\] Shall we wait?\n\n\\[00:27\\] I think so.\n\n**Ben Ito:** \\[00:30\\] Yes.\n\n**Outro:** \\[00:33\\]\n',
    lines: [
      '0 Ada: Good morning.',
      '4000 Ben Ito: Hello, Ada.',
      '4734 Ben Ito: The budget is late.',
      '9000 Ben Ito: By a week.',
      '9667 Unknown speaker: Break: [00:15]',
      '20000 Ada: Thank you.',
      '25000 Ada: Shall we wait?',
      '27000 Ada: I think so.',
      '30000 Ben Ito: Yes.',
      '33000 Unknown speaker: Outro',
    ],
  },
  ...[
    '**Ada:** Good morning.',
    '**Ada**: Good morning.',
    '- **Ada:** Good morning.',
    '__Ada:__ Good morning.',
    '- Ada: Good morning.',
  ].map((line) => ({
    name: `names in markdown such as ${line}`,
    format: 'text' as const,
    content: `${line}\n\n${line.replace('Ada', 'Ben Ito').replace('Good morning.', 'Hello, Ada.')}\n`,
    lines: ['0 Ada: Good morning.', '867 Ben Ito: Hello, Ada.'],
  })),
  ...[
    ['**Ada** 0:01\nGood morning.', 'text'],
    ['**Ada** 0:01 Good morning.', 'text'],
    ['**Ada** [00:00:01] Good morning.', 'text'],
    ['**[00:01] Ada:** Good morning.', 'text'],
    ['[00:01] **Ada:** Good morning.', 'text'],
    ['**Ada**  0:01\nGood morning.', 'otter-text'],
    ['### Ada (00:01)\nGood morning.', 'fireflies-text'],
  ].map(([turn = '', format]) => ({
    name: `names with times in markdown such as ${turn.split('\n', 1)[0]}`,
    format: format as ImportFormat,
    content: `${turn}\n\n${turn.replace('Ada', 'Ben Ito').replace(':01', ':04').replace('Good morning.', 'Hello, Ada.')}\n`,
    lines: ['1000 Ada: Good morning.', '4000 Ben Ito: Hello, Ada.'],
  })),
  {
    name: 'SubViewer of YouTube',
    format: 'sbv',
    content:
      '0:00:01.500,0:00:03.000\n>> ADA: Good\nmorning.\n\n0:00:04.000,0:00:05.000\n>> BEN: Hello,[br]Ada.\n',
    lines: ['1500 ADA: Good morning.', '4000 BEN: Hello, Ada.'],
  },
  {
    name: 'a table of Whisper',
    format: 'tsv',
    content: 'start\tend\ttext\n1500\t3000\tGood morning.\n4000\t5000\tHello, Ada.\n',
    lines: ['1500 Unknown speaker: Good morning.', '4000 Unknown speaker: Hello, Ada.'],
  },
  {
    name: 'TTML with agents',
    format: 'ttml',
    content:
      '<?xml version="1.0" encoding="UTF-8"?>\n<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttm="http://www.w3.org/ns/ttml#metadata" xml:lang="en"><head><metadata><ttm:agent xml:id="a" type="person"><ttm:name type="full">Ada</ttm:name></ttm:agent><ttm:agent xml:id="b" type="person"><ttm:name type="full">Ben Ito</ttm:name></ttm:agent></metadata></head>\n<body><div>\n<p begin="00:00:01.500" end="00:00:03.000" ttm:agent="a">Good<br/><span tts:color="red">morning.</span></p>\n<p begin="4s" end="5s" ttm:agent="b">Hello,\n Ada &amp; all.</p>\n</div></body></tt>\n',
    lines: ['1500 Ada: Good morning.', '4000 Ben Ito: Hello, Ada & all.'],
  },
  {
    name: 'TTML with ticks, frames, and names in front of the texts',
    format: 'ttml',
    content:
      '<tt:tt xmlns:tt="http://www.w3.org/ns/ttml" ttp:tickRate="10000000"><tt:body><tt:p begin="15000000t" end="30000000t">Ada: Good morning.</tt:p><tt:p><tt:span begin="00:00:04:12" end="00:00:05:00">Ben Ito: Hello, Ada.</tt:span></tt:p></tt:body></tt:tt>',
    lines: ['1500 Ada: Good morning.', '4000 Ben Ito: Hello, Ada.'],
  },
  {
    name: 'TTML of Apple, with seconds without a unit',
    format: 'ttml',
    content:
      '<tt xmlns="http://www.w3.org/ns/ttml"><body><p begin="1.5" end="3">Ada: Good morning.</p><p begin="4.000">Ben Ito: Hello, Ada.</p></body></tt>',
    lines: ['1500 Ada: Good morning.', '4000 Ben Ito: Hello, Ada.'],
  },
  {
    name: 'WebVTT with styles that have empty lines, regions of its first version, and two first lines',
    format: 'zoom-vtt',
    content:
      'WEBVTT\n\nWEBVTT\n\nSTYLE\n::cue(b) {\n  color: red;\n\n  opacity: 1;\n}\n\nRegion: id=a width=40%\n\n1\n00:01.500 --> 00:03.000\nAda: Good morning.\n\n2\n00:04.000 --> 00:05.000\nBen Ito: Hello, Ada.\n',
    lines: ['1500 Ada: Good morning.', '4000 Ben Ito: Hello, Ada.'],
  },
  {
    name: 'a name and a time above each text, with front matter and headings',
    format: 'text',
    content:
      '---\ntitle: Weekly\ntags:\n  - team\n---\n\n## Opening\n\nAda: 00:00:01\n\nGood morning.\n\n## Greetings\n\nBen Ito: 00:00:04\n\nHello, Ada. \\[laughter\\]\n\nAda: 00:00:07\n\nLet us begin.\n\nBen Ito: 00:00:09\n\nYes.\n',
    lines: [
      '0 Unknown speaker: Opening',
      '1000 Ada: Good morning.',
      '1867 Unknown speaker: Greetings',
      '4000 Ben Ito: Hello, Ada. [laughter]',
      '7000 Ada: Let us begin.',
      '9000 Ben Ito: Yes.',
    ],
  },
  {
    name: 'text of Adobe Premiere, with frames',
    format: 'text',
    content:
      '00:00:01:12 - 00:00:03:00\nAda\nGood morning.\n\n00:00:04:00 - 00:00:05:20\nBen Ito\nHello, Ada.\n\n00:00:07:00 - 00:00:08:00\nUnknown\nHello.\n',
    lines: ['1000 Ada: Good morning.', '4000 Ben Ito: Hello, Ada.', '7000 Unknown speaker: Hello.'],
  },
  {
    name: 'SubRip with colours and positions',
    format: 'srt',
    content:
      '1\n00:00:01,500 --> 00:00:03,000\n{\\an8}{\\c&HFFF000&}Ada: Good morning.{\\c}\n\n2\n00:00:04,000 --> 00:00:05,000\nBen Ito: Hello, {Ada}.\n',
    lines: ['1500 Ada: Good morning.', '4000 Ben Ito: Hello, {Ada}.'],
  },
]

for (const { name, format, content, lines } of FILES) {
  test(`a file of another product is read: ${name}`, () => {
    const read = readTranscriptFile({ content, fileName: null, format: null, timeZone: 'UTC' })
    assert.equal(read.format, format)
    assert.deepEqual(
      read.segments.map(({ startMs, speaker, text }) => `${startMs} ${speaker}: ${text}`),
      lines,
    )
  })
}

test('front matter gives the title, the date and the participants', () => {
  const content =
    '---\ntitle: "Weekly: plans"\ndate: 2026-11-15\nspeakers: [Ada, Cy]\n---\nAda: Hello.\n\nBen: Hi.\n'
  const read = readTranscriptFile({ content, fileName: null, format: null, timeZone: 'UTC' })
  assert.equal(read.title, 'Weekly: plans')
  assert.equal(read.startedAt?.toISOString(), '2026-11-15T12:00:00.000Z')
  assert.deepEqual(read.participants, ['Ada', 'Ben', 'Cy'])
  assert.equal(read.segments.length, 2)
})

test('a row of a table without times and a paragraph without a time are refused with their lines', () => {
  const problemOf = (content: string) => {
    try {
      readTranscriptFile({ content, fileName: null, format: null, timeZone: 'UTC' })
    } catch (error) {
      if (error instanceof UnreadableTranscript) return error.message
      throw error
    }
    return 'none'
  }
  assert.match(
    problemOf('start\tend\ttext\n0\t10\tHi\nsoon\t20\tHo\n'),
    /^Line 3: “soon 20 Ho” does not/,
  )
  assert.match(problemOf('<tt>\n<p begin="soon">Hi</p></tt>'), /^Line 2: “soon” is not a time/)
  assert.match(problemOf('<tt>\n<p>Hi</p></tt>'), /^Line 2: The paragraph has no time “begin”$/)
})
