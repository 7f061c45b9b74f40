import { z } from 'zod'
import { MAX_CITATIONS, MAX_TEXT_CHARS } from '../../../recap/recap.ts'
import { MAX_PERSON_CHARS } from '../../../recap/store/recap-item.ts'

// Fields that people send to change recaps.

export const DueDateInput = z.iso.date('Must be a date such as 2026-11-15')
export const VisibleTextInput = z
  .string()
  .trim()
  .min(1)
  .max(MAX_TEXT_CHARS)
  .meta({ pattern: '\\S' })
/** The name of an owner or speaker. */
export const PersonInput = z
  .string()
  .trim()
  .min(1)
  .max(MAX_PERSON_CHARS)
  .meta({ pattern: '\\S', examples: ['Ada'] })
export const SegmentNumbersInput = z
  .array(z.int().min(1).max(999_999_999))
  .min(1)
  .max(MAX_CITATIONS)
  .meta({ examples: [[12]] })
  .describe('The lines of the transcript that it comes from')
