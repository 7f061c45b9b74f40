import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { RecapSource } from '../recap.ts'

/** The parts of the abstracts that people wrote about the meetings of the AMI corpus. */
export const AMI_PARTS = ['abstract', 'actions', 'decisions', 'problems'] as const
export type AmiPart = (typeof AMI_PARTS)[number]

/** A sentence of an abstract, and the segments that people linked to it. */
export type AmiLabel = { text: string; segments: number[] }

export type AmiMeeting = {
  /** Four meetings of the same people are a series: ES2002a to ES2002d. */
  name: string
  /** The series recorded at one of the three places are only measured, never trained on. */
  isHeldOut: boolean
  source: RecapSource
  labels: Record<AmiPart, AmiLabel[]>
}

type Attributes = ReadonlyMap<string, string>
type Element = { name: string; attributes: Attributes; text: string }
type Word = { startMs: number; endMs: number; text: string; isPunctuation: boolean }
type Line = { act: string; speaker: string; text: string; startMs: number; endMs: number }

const HELD_OUT = /^TS/
/** Names that nobody says in the corpus, which calls its speakers A to E. */
const SPEAKERS: Readonly<Record<string, string>> = {
  A: 'Aurelio',
  B: 'Bertrand',
  C: 'Cosima',
  D: 'Dagmar',
  E: 'Ephraim',
}
const ELEMENT = /<([\w:]+)((?:\s+[\w:]+\s*=\s*"[^"]*")*)\s*(?:\/>|>([^<]*))/g
const ATTRIBUTE = /([\w:]+)\s*=\s*"([^"]*)"/g
const RANGE = /#id\(([^)]+)\)(?:\.\.id\(([^)]+)\))?/
const ENTITIES: Readonly<Record<string, string>> = {
  '&#39;': "'",
  '&quot;': '"',
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
}

/** The folder with the annotations, or null if `folder` does not have them. */
export function findAmiAnnotations(folder: string): string | null {
  const candidates = [
    folder,
    ...globSync('ami_public_manual_*', { cwd: folder }).map((name) => join(folder, name)),
  ]
  return candidates.find((path) => existsSync(join(path, 'abstractive'))) ?? null
}

/**
 * The meetings whose abstracts are linked to what was said. A segment is a dialogue act of the corpus: about a
 * sentence, or a part of one.
 */
export function readAmiMeetings(annotations: string): AmiMeeting[] {
  return globSync('extractive/*.summlink.xml', { cwd: annotations })
    .map((file) => basename(file, '.summlink.xml'))
    .toSorted()
    .filter((name) => existsSync(join(annotations, `abstractive/${name}.abssumm.xml`)))
    .map((name) => readMeeting(annotations, name))
}

/** The words of each meeting without an abstract. Most are about other topics than the meetings with one. */
export function readOtherAmiWords(annotations: string): Array<ReadonlySet<string>> {
  const withAbstract = new Set(listMeetingNames(annotations, 'abstractive'))
  return [...new Set(listMeetingNames(annotations, 'words'))]
    .filter((name) => !withAbstract.has(name))
    .map((name) => {
      const files = globSync(`words/${name}.*.words.xml`, { cwd: annotations })
      const words = files.flatMap((file) => [...readWords(annotations, file).values()])
      return new Set(words.map(({ text }) => text.toLowerCase()))
    })
}

function listMeetingNames(annotations: string, folder: string): string[] {
  return globSync(`${folder}/*.xml`, { cwd: annotations })
    .map((file) => basename(file).split('.')[0] ?? '')
    .toSorted()
}

function readMeeting(annotations: string, name: string): AmiMeeting {
  const lines = readLines(annotations, name)
  const numberOfAct = new Map(lines.map(({ act }, index) => [act, index + 1]))
  const segmentsOfSentence = new Map<string, Set<number>>()
  for (const { act, sentence } of readLinks(annotations, name)) {
    const number = numberOfAct.get(act)
    const segments = segmentsOfSentence.get(sentence) ?? new Set()
    if (number !== undefined) segmentsOfSentence.set(sentence, segments.add(number))
  }
  const abstract = readFile(annotations, `abstractive/${name}.abssumm.xml`)
  const labelsOf = (part: AmiPart): AmiLabel[] => {
    const [section = ''] = new RegExp(`<${part} [^]*?</${part}>`).exec(abstract) ?? []
    return listElements(section)
      .filter((element) => element.name === 'sentence')
      .map(({ text, attributes }) => {
        const segments = segmentsOfSentence.get(attributes.get('nite:id') ?? '') ?? []
        return { text: text.trim(), segments: [...segments].toSorted((a, b) => a - b) }
      })
      .filter(({ segments }) => segments.length > 0)
  }
  return {
    name,
    isHeldOut: HELD_OUT.test(name),
    source: {
      startedAt: new Date('2026-11-17T09:00:00Z'),
      timeZone: 'UTC',
      languageHint: 'en',
      participants: [...new Set(lines.map(({ speaker }) => speaker))].toSorted(),
      segments: lines.map(({ speaker, text, startMs, endMs }, index) => ({
        number: index + 1,
        speaker,
        text,
        startMs,
        endMs,
      })),
    },
    labels: {
      abstract: labelsOf('abstract'),
      actions: labelsOf('actions'),
      decisions: labelsOf('decisions'),
      problems: labelsOf('problems'),
    },
  }
}

/** The dialogue acts of all speakers, in the order in which they begin. */
function readLines(annotations: string, name: string): Line[] {
  const lines: Line[] = []
  for (const file of globSync(`dialogueActs/${name}.*.dialog-act.xml`, { cwd: annotations })) {
    const letter = basename(file).split('.')[1] ?? ''
    const words = readWords(annotations, `words/${name}.${letter}.words.xml`)
    const positions = new Map([...words.keys()].map((id, index) => [id, index]))
    const all = [...words.values()]
    let act = ''
    for (const element of listElements(readFile(annotations, file))) {
      if (element.name === 'dact') act = element.attributes.get('nite:id') ?? ''
      if (element.name !== 'nite:child') continue
      const spoken = all.slice(...findRange(positions, element.attributes.get('href') ?? ''))
      const [first, last] = [spoken[0], spoken.at(-1)]
      const text = joinWords(spoken)
      if (first === undefined || last === undefined || text === '') continue
      const speaker = SPEAKERS[letter] ?? letter
      lines.push({ act, speaker, text, startMs: first.startMs, endMs: last.endMs })
    }
  }
  return lines.toSorted((a, b) => a.startMs - b.startMs || (a.act < b.act ? -1 : 1))
}

/** The words of a speaker by id. Words that were broken off are left out, as a recognizer does. */
function readWords(annotations: string, file: string): Map<string, Word> {
  let endMs = 0
  const words = new Map<string, Word>()
  for (const { name, attributes, text } of listElements(readFile(annotations, file))) {
    const id = attributes.get('nite:id')
    if (id === undefined || name === 'nite:root') continue
    const startMs = toMs(attributes.get('starttime')) ?? endMs
    endMs = toMs(attributes.get('endtime')) ?? startMs
    const isSpoken = name === 'w' && attributes.get('trunc') !== 'true'
    const isPunctuation = attributes.get('punc') === 'true'
    words.set(id, { startMs, endMs, text: isSpoken ? text : '', isPunctuation })
  }
  return words
}

function readLinks(annotations: string, name: string) {
  const links: Array<{ act: string; sentence: string }> = []
  let act = ''
  for (const { attributes } of listElements(
    readFile(annotations, `extractive/${name}.summlink.xml`),
  )) {
    const id = RANGE.exec(attributes.get('href') ?? '')?.[1]
    if (id === undefined) continue
    if (attributes.get('role') === 'extractive') act = id
    else links.push({ act, sentence: id })
  }
  return links
}

/** From the first position that a reference names to the one after the last. */
function findRange(positions: ReadonlyMap<string, number>, href: string): [number, number] {
  const [, first = '', last = first] = RANGE.exec(href) ?? []
  const from = positions.get(first) ?? positions.get(last)
  if (from === undefined) return [0, 0]
  return [from, (positions.get(last) ?? from) + 1]
}

function joinWords(words: readonly Word[]): string {
  const texts = words.map(({ text, isPunctuation }) => (isPunctuation ? text : ` ${text}`))
  return texts
    .join('')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[\s,.]+/, '')
    .trim()
}

function listElements(xml: string): Element[] {
  return [...xml.matchAll(ELEMENT)].map(([, name = '', attributes = '', text = '']) => ({
    name,
    attributes: new Map(
      [...attributes.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [key, value]),
    ),
    text: text.replaceAll(/&(?:#39|quot|lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity),
  }))
}

function toMs(seconds: string | undefined): number | null {
  return seconds === undefined || seconds === '' ? null : Math.round(Number(seconds) * 1000)
}

function readFile(annotations: string, file: string): string {
  const path = join(annotations, file)
  return existsSync(path) ? readFileSync(path, 'latin1') : ''
}
