import { globSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { OperatorError } from '../../lib/operator-error.ts'
import { tryParseJson } from '../../lib/text/try-parse-json.ts'
import type { RecapSource } from '../recap.ts'
import { findAmiAnnotations, readAmiMeetings, type AmiMeeting } from './ami-meetings.ts'

/** Labelled questions may be in the same folder. They are not a meeting. */
export const QUESTIONS_FILE = 'questions.json'

const MAX_MEETINGS = 1_000
const MAX_FILE_BYTES = 20_000_000
const MAX_SEGMENTS = 20_000
const MAX_LABELS = 1_000

const FORMAT = 'bench/recap-meetings/README.md describes the format'
/** Number, start and end as minutes and seconds, speaker, text. */
const SEGMENT = /^(\d+) (\d+):(\d+)-(\d+):(\d+) ([^:]+): (.*)$/

const segments = z.array(z.int().min(1)).min(1).max(MAX_SEGMENTS)
const labels = z.array(z.object({ segments })).max(MAX_LABELS)

/** One file of a folder of labelled meetings. */
const MeetingFile = z.object({
  title: z.string(),
  language: z.string(),
  startedAt: z.iso.datetime({ offset: true }),
  timeZone: z.string(),
  isHeldOut: z.boolean().default(false),
  participants: z.array(z.string()),
  segments: z.array(z.string().regex(SEGMENT)).min(1).max(MAX_SEGMENTS),
  actions: z
    .array(z.object({ owner: z.string().nullable(), due: z.iso.date().nullable(), segments }))
    .max(MAX_LABELS),
  decisions: labels,
  openQuestions: labels,
  /** Absent if nobody chose the lines for a summary. */
  summary: labels.optional(),
})

export type LabelledMeeting = Omit<z.output<typeof MeetingFile>, 'segments'> & {
  /** The name of the file. */
  name: string
  source: RecapSource
}

/** Reads the meetings of a folder, or those of the AMI corpus in it, by name. Throws an `OperatorError` if it has none, or if a file is not a meeting. */
export function readLabelledMeetings(folder: string): LabelledMeeting[] {
  const annotations = findAmiAnnotations(folder)
  if (annotations !== null) return readAmiMeetings(annotations).map(toLabelledMeeting)
  const files = globSync('*.json', { cwd: folder })
    .filter((file) => file !== QUESTIONS_FILE)
    .toSorted()
  if (files.length === 0) throw new OperatorError(`There are no meetings in ${folder}`, FORMAT)
  if (files.length > MAX_MEETINGS) {
    throw new OperatorError(
      `There are ${files.length} meetings in ${folder}`,
      `Use a folder with at most ${MAX_MEETINGS}`,
    )
  }
  return files.map((file) => readMeeting(folder, file))
}

/** The corpus names no owners and due dates, and calls open questions problems. */
function toLabelledMeeting({ name, isHeldOut, source, labels: of }: AmiMeeting): LabelledMeeting {
  return {
    name,
    title: name,
    language: 'en',
    startedAt: source.startedAt.toISOString(),
    timeZone: 'UTC',
    isHeldOut,
    participants: [...source.participants],
    source,
    actions: of.actions.map(({ segments }) => ({ owner: null, due: null, segments })),
    decisions: of.decisions,
    openQuestions: of.problems,
    summary: of.abstract,
  }
}

function readMeeting(folder: string, file: string): LabelledMeeting {
  const path = join(folder, file)
  if (statSync(path).size > MAX_FILE_BYTES) {
    throw new OperatorError(`${path} is larger than ${MAX_FILE_BYTES / 1e6} MB`)
  }
  const parsed = MeetingFile.safeParse(tryParseJson(readFileSync(path, 'utf8')))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const place = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
    throw new OperatorError(
      `${path} is not a labelled meeting. ${place}${issue?.message ?? ''}`,
      FORMAT,
    )
  }
  const { segments: lines, ...rest } = parsed.data
  return {
    ...rest,
    name: basename(file, '.json'),
    source: {
      startedAt: new Date(rest.startedAt),
      timeZone: rest.timeZone,
      languageHint: null,
      participants: rest.participants,
      segments: lines.map(readSegment),
    },
  }
}

function readSegment(line: string): RecapSource['segments'][number] {
  const [, number, startMinute, startSecond, endMinute, endSecond, speaker = '', text = ''] =
    SEGMENT.exec(line) ?? []
  const toMs = (minute?: string, second?: string) => (Number(minute) * 60 + Number(second)) * 1000
  return {
    number: Number(number),
    speaker,
    text,
    startMs: toMs(startMinute, startSecond),
    endMs: toMs(endMinute, endSecond),
  }
}
