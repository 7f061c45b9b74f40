import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '../../src/db/database.ts'
import { createSearchVectors } from '../../src/projects/search/words/search-vector.ts'

export type SpokenLine = { speaker: string; text: string }
/** A meeting, and the questions that some of its lines answer. Lines are numbered from 1. */
export type SpokenMeeting = {
  name: string
  title: string
  lines: SpokenLine[]
  questions: Array<{ question: string; evidence: ReadonlySet<number> }>
}

const OWN_SET = join(import.meta.dirname, '../recap-meetings')
const LINE = /^\d+ \S+ (?<speaker>[^:]+): (?<text>.*)$/su

type LabelledMeetingFile = { title: string; segments: string[] }
type LabelledQuestion = { question: string; meeting: string; evidence: number[] }

/** The labelled meetings of this repository. */
export function readOwnMeetings(): SpokenMeeting[] {
  const questions = readJson(join(OWN_SET, 'questions.json')) as LabelledQuestion[]
  return globSync(join(OWN_SET, '*.json'))
    .toSorted()
    .filter((file) => basename(file) !== 'questions.json')
    .map((file) => {
      const { title, segments } = readJson(file) as LabelledMeetingFile
      const name = basename(file, '.json')
      return {
        name,
        title,
        lines: segments.map(parseLine),
        questions: questions
          .filter(({ meeting }) => meeting === name)
          .map(({ question, evidence }) => ({ question, evidence: new Set(evidence) })),
      }
    })
}

function parseLine(line: string): SpokenLine {
  const { speaker, text } = LINE.exec(line)?.groups ?? {}
  if (speaker === undefined || text === undefined) throw new Error(`not a segment: ${line}`)
  return { speaker, text }
}

type QmsumMeeting = {
  specific_query_list: Array<{ query: string; relevant_text_span: Array<[string, string]> }>
  meeting_transcripts: Array<{ speaker: string; content: string }>
}

/** One part (train, val or test) of QMSum, a public set of real meetings with questions and evidence. */
export function readQmsumMeetings(folder: string, part: string): SpokenMeeting[] {
  const files = readdirSync(join(folder, 'data/ALL', part)).filter((name) => name.endsWith('.json'))
  return files.toSorted().map((file) => {
    const meeting = readJson(join(folder, 'data/ALL', part, file)) as QmsumMeeting
    const name = basename(file, '.json')
    return {
      name,
      title: name,
      lines: meeting.meeting_transcripts.map(({ speaker, content }) => ({
        speaker,
        // The transcribers' marks, such as {vocalsound}, are not spoken.
        text: content.replaceAll(/\{[^}]*\}/g, ' '),
      })),
      questions: meeting.specific_query_list.map(({ query, relevant_text_span: spans }) => ({
        question: query,
        evidence: new Set(spans.flatMap(([from, to]) => listNumbers(Number(from), Number(to)))),
      })),
    }
  })
}

/** QMSum counts lines from 0. */
function listNumbers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i + 1)
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Stores a meeting as ended and indexed. */
export async function storeMeeting(
  db: Db,
  { name, title, lines }: Pick<SpokenMeeting, 'name' | 'title' | 'lines'>,
  { project = 'bench', startedAt = new Date('2026-01-01T09:00:00Z') } = {},
): Promise<string> {
  const id = `meeting_${name}`
  await sql`insert into meeting (id, platform, url, room, label, title, project, callback_url, options, status, reason,
      started_at, ended_at, segment_count, words_version)
    values (${id}, 'practice', 'practice://standup', ${name}, ${title}, ${title}, ${project}, 'listen:bench', '{}', 'completed',
      'host_ended', ${startedAt}, ${startedAt}, ${lines.length}, 1)`.execute(db)
  const { texts } = await createSearchVectors(lines)
  await sql`insert into segment (meeting_id, number, caption_id, speaker, text, started_at, words)
    select ${id}, s.number, 'c' || s.number, s.speaker, s.text,
      ${startedAt}::timestamptz + s.number * interval '5 seconds', s.words::tsvector
    from unnest(${lines.map(({ speaker }) => speaker)}::text[], ${lines.map(({ text }) => text)}::text[],
      ${texts}::text[]) with ordinality as s(speaker, text, words, number)`.execute(db)
  return id
}
