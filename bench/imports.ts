import { globSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { UnreadableTranscript } from '../src/meetings/importing/formats/found-transcript.ts'
import { readTranscriptFile } from '../src/meetings/importing/read-transcript-file.ts'
import { UNKNOWN_SPEAKER } from '../src/language/person-names.ts'
import { decodeTextFile } from '../src/lib/text/decode-text-file.ts'

/** The result of reading one file. `lost` and `added` are null if the file's own words are hard to find. */
type Row = {
  format: string
  lines: number
  speakers: number
  unknown: number
  words: number
  lost: number | null
  added: number | null
}
type WordCounts = Map<string, number>

const WHOLE_TEXTS = [
  'text',
  'results.transcripts.0.transcript',
  'results.channels.0.alternatives.0.transcript',
]

export const imports = {
  about: 'what the transcripts of other products in FOLDER become when they are imported',
  async run([folder]: readonly string[] = []) {
    if (folder === undefined) {
      console.log('  npm run bench -- imports FOLDER')
      return
    }
    const rows: Row[] = []
    const refusals: string[] = []
    const files = globSync('**/*.*', { cwd: folder, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .toSorted()
    for (const file of files) {
      const content = decodeTextFile(readFileSync(join(folder, file)))
      const read = content === null ? 'unknown encoding' : readRow(content, basename(file))
      if (typeof read === 'string') refusals.push(`${file}: ${read}`)
      else {
        rows.push(read)
        console.log(`  ${file}: ${describe(read)}`)
      }
    }
    console.log(`\n  ${rows.length} of ${files.length} files are read. By format:`)
    for (const [format, ofFormat] of Map.groupBy(rows, (row) => row.format)) {
      const sum = (key: keyof Row) => ofFormat.reduce((total, row) => total + Number(row[key]), 0)
      const checked = ofFormat.filter(({ lost }) => lost !== null).length
      console.log(
        `  ${format}: ${ofFormat.length} files, ${sum('lines')} lines, ${sum('speakers')} speakers, ` +
          `${sum('unknown')} lines of unknown speakers, ${sum('words')} words; ` +
          `of ${checked} files checked, ${sum('lost')} words lost, ${sum('added')} added`,
      )
    }
    console.log(`\n  ${refusals.length} files are refused:`)
    for (const refusal of refusals) console.log(`  ${refusal}`)
  },
}

function describe({ format, lines, speakers, unknown, words, lost, added }: Row): string {
  const check = lost === null ? '' : `, ${lost} words lost, ${added} added`
  return `${format}, ${lines} lines, ${speakers} speakers, ${unknown} unknown, ${words} words${check}`
}

/** Returns the refusal's sentence if the file cannot be read. */
function readRow(content: string, fileName: string): Row | string {
  try {
    const { format, segments } = readTranscriptFile({
      content,
      fileName,
      format: null,
      timeZone: 'UTC',
    })
    const names = new Set(segments.map(({ speaker }) => speaker))
    const text = segments.map((segment) => segment.text).join('\n')
    const said = countWords(removeMarks(text))
    const own = format.endsWith('json') ? findWholeText(content) : removeTimes(content)
    const expected = own === null ? null : countWords(removeMarks(own))
    return {
      format,
      lines: segments.length,
      speakers: names.difference(new Set([UNKNOWN_SPEAKER])).size,
      unknown: segments.filter(({ speaker }) => speaker === UNKNOWN_SPEAKER).length,
      words: countWords(text)
        .values()
        .reduce((total, count) => total + count, 0),
      lost: expected && countMissing(expected, said, countWords([...names].join(' '))),
      added: expected && countMissing(said, expected, new Map()),
    }
  } catch (error) {
    if (error instanceof UnreadableTranscript) return error.message
    throw error
  }
}

/** The text of the file, without the lines that subtitles add. */
function removeTimes(content: string): string {
  return content
    .replaceAll(/\r\n?/g, '\n')
    .replace(/^\ufeff?(?:WEBVTT[^]*?\n\n|---\n[^]*?\n---\n)/, '\n\n')
    .replaceAll(/\n\n.*(?=\n.*-->)/g, '\n')
    .replaceAll(/^.*-->.*$|^\d+$|^(?:NOTE|STYLE|REGION)\b[^]*?\n\s*\n/gm, '')
}

/** Removes tags, entities and times, because only some of them are read as text. */
function removeMarks(text: string): string {
  return text.replaceAll(
    /<v[\s.][^>]*>|<\/?[^<>]*>|\{\\[^}]*\}|&\w+;|\d+:\d\d(?::\d\d)*(?:[.,]\d+)?/g,
    ' ',
  )
}

/** The complete text that some products write next to its parts. */
function findWholeText(content: string): string | null {
  for (const path of WHOLE_TEXTS) {
    const found = path
      .split('.')
      .reduce<unknown>(
        (value, key) => (Object(value) as Record<string, unknown>)[key],
        JSON.parse(content),
      )
    if (typeof found === 'string') return found
  }
  return null
}

function countWords(text: string): WordCounts {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return new Map(
    Map.groupBy(words, (word) => word)
      .entries()
      .map(([word, all]) => [word, all.length]),
  )
}

/** How many words of a text another text does not have. Names are not counted. */
function countMissing(of: WordCounts, from: WordCounts, names: WordCounts): number {
  return of
    .entries()
    .filter(([word]) => !names.has(word))
    .reduce((total, [word, count]) => total + Math.max(0, count - (from.get(word) ?? 0)), 0)
}
