import type { WireRecap } from '../../../../src/http/shapes/meetings/recap.ts'
import type { RecapDocumentState, RecapMethod } from '../../../../src/http/shapes/values.ts'

/** Says what made the recap. */
export const RECAP_METHOD_TEXTS: Record<RecapMethod, (model: string | null) => string> = {
  rules: () => 'Made by rules, without a language model',
  model: (model) => `Made by the language model ${model ?? ''}`.trim(),
}

/** Why the saved document does not have this recap. Null if it has the recap or does not need it. */
const RECAP_DOCUMENT_TEXTS: Record<RecapDocumentState, string | null> = {
  waiting: null,
  written: null,
  none: null,
  edited: 'The saved document was edited by hand, so the recap was not written into it.',
  failed: 'The recap could not be written into the saved document.',
}

/** What the reader should know about how this recap was made. */
export function listRecapNotes(recap: WireRecap): string[] {
  const { coverage, droppedStatements, documentState } = recap
  const { segmentsRead, segmentsTotal } = coverage
  const notes = [
    segmentsRead < segmentsTotal &&
      `The meeting is very long: ${format(segmentsRead)} of ${format(segmentsTotal)} lines were read.`,
    droppedStatements === 1 &&
      'One statement of the model was left out, because the lines it cites do not support it.',
    droppedStatements > 1 &&
      `${format(droppedStatements)} statements of the model were left out, because the lines they cite do not support them.`,
    RECAP_DOCUMENT_TEXTS[documentState],
  ]
  return notes.filter((note) => typeof note === 'string')
}

function format(count: number): string {
  return count.toLocaleString('en')
}
