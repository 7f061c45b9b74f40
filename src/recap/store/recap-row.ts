/**
 * The next step for a recap. `rules`: make it by rules. `model`: let the model replace it. `document`: write it into
 * the transcript document. `done`: nothing.
 */
export const RECAP_STEPS = ['rules', 'model', 'document', 'done'] as const
export type RecapStep = (typeof RECAP_STEPS)[number]

/**
 * The state of the recap in the transcript document. `waiting`: not written yet. `none`: the meeting has no document.
 * `edited`: a person changed the document, so it is left alone. `failed`: the file could not be written.
 */
export const RECAP_DOCUMENT_STATES = ['waiting', 'written', 'none', 'edited', 'failed'] as const
export type RecapDocumentState = (typeof RECAP_DOCUMENT_STATES)[number]

/** The fields of an action item that can contain names. For a statement of a recap, the owner is its speaker. */
export type NamesOfItem = {
  text: string
  found_text: string
  owner: string | null
  found_owner: string | null
}

/** An action item, or a statement that a person changed, before and after a rename. */
export type RenamedItem = { id: string; before: NamesOfItem; after: NamesOfItem }
