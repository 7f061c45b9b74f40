import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { QUESTIONS_FILE } from '../../src/recap/trial/labelled-meetings.ts'

export type LabelledQuestion = { question: string; meeting: string; evidence: number[] }

export const RECAP_MEETINGS_FOLDER = join(import.meta.dirname, '../recap-meetings')

export function readLabelledQuestions(): LabelledQuestion[] {
  return JSON.parse(
    readFileSync(join(RECAP_MEETINGS_FOLDER, QUESTIONS_FILE), 'utf8'),
  ) as LabelledQuestion[]
}
