/**
 * What has to be done next for a recap. `rules`: make it by rules. `model`: let the model replace it. `document`: write it
 * into the transcript document. `done`: nothing.
 */
export const RECAP_STEPS = ['rules', 'model', 'document', 'done'] as const
export type RecapStep = (typeof RECAP_STEPS)[number]

/**
 * Whether the transcript document has the recap. `waiting`: not yet. `none`: the meeting has no document. `edited`: the
 * document was changed by a person, so it is left as it is. `failed`: the file could not be written.
 */
export const RECAP_DOCUMENT_STATES = ['waiting', 'written', 'none', 'edited', 'failed'] as const
export type RecapDocumentState = (typeof RECAP_DOCUMENT_STATES)[number]

/** The fields of an action item that contain names. */
export type NamesOfItem = {
  text: string
  found_text: string
  owner: string | null
  found_owner: string | null
}

/** An action item before and after a rename. */
export type RenamedItem = { id: string; before: NamesOfItem; after: NamesOfItem }
