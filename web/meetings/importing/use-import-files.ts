import { useState } from 'react'
import type { ApiImportedTranscript } from '../../../src/http/shapes/meetings/import.ts'
import { MAX_IMPORT_BYTES } from '../../../src/http/shapes/values.ts'
import { decodeTextFile } from '../../../src/lib/text/decode-text-file.ts'
import { toApiError } from '../../api/api-error.ts'
import { useApi } from '../../api/app-state.tsx'
import { useRefreshMeetings } from '../queries.ts'

/** The result for one file. `problems` name the line and the reason. */
export type FileResult = { id: number; name: string } & (
  | { state: 'waiting' | 'running' }
  | { state: 'imported'; imported: ApiImportedTranscript }
  | { state: 'failed'; problems: string[] }
)

/** The user's choices for the files. An empty text means that the file decides. */
export type ImportChoices = {
  project: string
  title: string
  /** A local time in the form of the browser's field. */
  startedAt: string
}

/** Reading and storing a long transcript takes a while. */
const TIMEOUT_MS = 120_000

export function useImportFiles(files: readonly File[]) {
  const api = useApi()
  const refresh = useRefreshMeetings()
  const [results, setResults] = useState<readonly FileResult[] | null>(null)
  const [isRunning, setRunning] = useState(false)

  const importFile = async (
    file: File,
    { project, title, startedAt }: ImportChoices,
  ): Promise<ApiImportedTranscript | string[]> => {
    if (file.size > 2 * MAX_IMPORT_BYTES) return ['The file is larger than 20 MiB.']
    const bytes = await readBytes(file)
    if (bytes === null)
      return ['The file couldn’t be read. It may have been moved, or it is a folder.']
    const content = decodeTextFile(bytes)
    if (content === null)
      return ['This is not a text file. Export the transcript as text or WebVTT.']
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    const body = {
      content,
      fileName: file.name,
      timeZone,
      ...(project.trim() !== '' && { project: project.trim() }),
      ...(title.trim() !== '' && { title }),
      ...(startedAt !== '' && { startedAt: new Date(startedAt).toISOString() }),
    }
    try {
      return await api.meetings.import(body, { timeoutMs: TIMEOUT_MS })
    } catch (error) {
      const { message, details } = toApiError(error)
      return details.length > 0 ? details.map((detail) => `${detail.message}.`) : [`${message}.`]
    }
  }

  return {
    results,
    isRunning,
    /** Imports the files one after the other. A failed one does not stop the others. */
    async run(choices: ImportChoices) {
      const list: FileResult[] = files.map(({ name }, id) => ({ id, name, state: 'waiting' }))
      const show = (id: number, result: FileResult) => {
        list[id] = result
        setResults([...list])
      }
      setRunning(true)
      for (const [id, file] of files.entries()) {
        const { name } = file
        show(id, { id, name, state: 'running' })
        const result = await importFile(file, choices)
        if (Array.isArray(result)) show(id, { id, name, state: 'failed', problems: result })
        else show(id, { id, name, state: 'imported', imported: result })
      }
      setRunning(false)
      await refresh()
    },
  }
}

/** Null for a folder, and for a file that was moved or changed since it was chosen. */
async function readBytes(file: File): Promise<Uint8Array | null> {
  try {
    return new Uint8Array(await file.arrayBuffer())
  } catch (error) {
    if (error instanceof DOMException) return null
    throw error
  }
}
