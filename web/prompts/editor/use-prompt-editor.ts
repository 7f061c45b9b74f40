import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useApi, useSignedInUser } from '../../api/use-api.tsx'
import type { ConflictingVersion } from '../../api/conflicts.ts'
import { isConflict, preconditionHeaders, readConflictingVersion } from '../../api/conflicts.ts'
import {
  deleteDraft,
  draftKey,
  readDraft,
  saveDraft,
  useWarningBeforeClosing,
} from '../../projects/document/drafts.ts'
import { fetchPrompt, useRefreshPrompts } from '../queries.ts'

type Saved = { text: string; etag: string | null }

function useDraftKey(draftName: string): string {
  return draftKey(useSignedInUser().id, 'scheduled-prompts', draftName)
}

/** The unsaved changes of a prompt. The text is null if there are none. */
export function usePromptDraft(promptName: string): { text: string | null; discard: () => void } {
  const key = useDraftKey(promptName)
  const [draft] = useState(() => readDraft(key))
  return { text: draft?.text ?? null, discard: () => deleteDraft(key) }
}

/**
 * State of the editor of one prompt. `etag` is null for a prompt that does not exist yet. A read-only prompt is shown
 * as it is stored, because that text runs. Unsaved changes are kept for a copy.
 */
export function usePromptEditor(draftName: string, start: Saved, isReadOnly = false) {
  const api = useApi()
  const refresh = useRefreshPrompts()
  const key = useDraftKey(draftName)
  const [draft] = useState(() => readDraft(key))
  const [saved, setSaved] = useState<Saved>({ text: start.text, etag: draft?.etag ?? start.etag })
  const [text, setText] = useState(draft?.text ?? start.text)
  const [conflict, setConflict] = useState<ConflictingVersion | null>(null)
  const hasUnsavedText = text !== saved.text
  const isChanged = hasUnsavedText && !isReadOnly
  useWarningBeforeClosing(isChanged)

  return {
    text: isReadOnly ? saved.text : text,
    isChanged,
    hasKeptDraft: hasUnsavedText && isReadOnly,
    conflict,
    isRestoredDraft: draft !== null && isChanged,
    change(value: string) {
      setText(value)
      saveDraft(key, { text: value, etag: saved.etag })
    },
    /** Deletes the prompt. False if another user saved a different version meanwhile, which is then shown. */
    async remove(name: string): Promise<boolean> {
      const etag = conflict?.etag ?? saved.etag
      try {
        await api.promptFiles.remove(name, { headers: preconditionHeaders(etag) })
        deleteDraft(key)
        return true
      } catch (error) {
        if (!isConflict(error)) throw error
        setConflict(await readConflictingVersion(() => fetchPrompt(api, name)))
        return false
      }
    },
    /** Saves the text under this name. False if another user saved a different version meanwhile. */
    async save(name: string): Promise<boolean> {
      const etag = conflict === null ? saved.etag : conflict.etag
      try {
        const headers = preconditionHeaders(etag)
        const written = await api.promptFiles.update(name, { text }, { headers })
        deleteDraft(key)
        setSaved({ text, etag: written.etag })
        setConflict(null)
        await refresh()
        return true
      } catch (error) {
        if (!isConflict(error)) throw error
        if (etag === null && conflict === null) throw nameTakenError(name, error)
        setConflict(await readConflictingVersion(() => fetchPrompt(api, name)))
        return false
      }
    },
  }
}

function nameTakenError(name: string, { status, requestId }: ApiError): ApiError {
  const message = `There is already a prompt named ${name}. Choose another name.`
  return new ApiError(message, { status, code: 'prompt_exists', requestId })
}
