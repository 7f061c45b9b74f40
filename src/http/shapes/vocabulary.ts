import { z } from 'zod'
import { RequestWarnings } from './common.ts'
import { MAX_TERM_CHARS, MAX_TERMS } from './values.ts'

const Term = z
  .string()
  .max(MAX_TERM_CHARS)
  .refine((term) => /\p{L}/u.test(term), 'Must have a letter')
  .meta({ pattern: '\\S', examples: ['Raghunathan'] })

export const VocabularyResponse = z.object({
  project: z.string(),
  terms: z
    .array(z.string())
    .describe('In alphabetical order')
    .meta({ examples: [['Kubernetes', 'Priya Raghunathan']] }),
  warnings: RequestWarnings,
})

export const UpdateVocabularyBody = z
  .object({
    add: z
      .array(Term)
      .max(MAX_TERMS)
      .optional()
      .describe('Names and terms as they are spelt')
      .meta({ examples: [['Priya Raghunathan', 'Kubernetes']] }),
    remove: z
      .array(z.string().max(MAX_TERM_CHARS))
      .max(MAX_TERMS)
      .optional()
      .meta({ examples: [['Mesos']] }),
  })
  .meta({ examples: [{ add: ['Priya Raghunathan', 'Kubernetes'], remove: ['Mesos'] }] })

/** The JSON form of the response, for the console. */
export type ApiVocabulary = z.input<typeof VocabularyResponse>
