import { Button, Text, Stack, Group, TextInput, FileButton, List, Progress } from '@mantine/core'
import { useState, useRef, useEffect } from 'react'
import './import.css'
import { IMPORT_FORMAT_TITLES, MAX_IMPORT_BYTES } from '../../../src/http/shapes/values.ts'
import { WhoMayRead } from '../../access/who-may-read.tsx'
import { ProjectInput } from '../../projects/project-filter-field.tsx'
import { Dialog } from '../../ui/dialogs.tsx'
import { formatCountWithNoun } from '../../ui/format/format-text.ts'
import { TextLink, meetingPage } from '../../ui/links.tsx'
import type { ApiImportedTranscript } from '../../../src/http/shapes/meetings/import.ts'
import { decodeTextFile } from '../../../src/lib/text/decode-text-file.ts'
import { toApiError } from '../../api/api-error.ts'
import { useApi, useReload } from '../../api/use-api.tsx'
import { Hint } from '../../ui/text.tsx'
import { isRecordingFile, RECORDING_EXTENSIONS, sendRecording } from './send-recording.ts'

/** The import button, with the whole page as a place to drop files. */
export function ImportTranscripts() {
  const [dropped, setDropped] = useState<File[] | null>(null)
  const isDragging = useFileDrop(setDropped, dropped !== null)
  return (
    <>
      <Button variant="default" onClick={() => setDropped([])}>
        Import files
      </Button>
      {isDragging && (
        <div className="drop-overlay" role="status">
          <Text fw={650} size="lg">
            Drop transcripts or recordings to import them
          </Text>
        </div>
      )}
      {dropped !== null && <ImportDialog dropped={dropped} onClose={() => setDropped(null)} />}
    </>
  )
}

/**
 * Calls `onDrop` with files that the user drops anywhere on the page. True while files are dragged over the page. While
 * `isOff` is true, a dropped file is ignored and does not replace the page.
 */
function useFileDrop(onDrop: (files: File[]) => void, isOff: boolean): boolean {
  const [isDragging, setDragging] = useState(false)
  const drop = useRef(onDrop)
  useEffect(() => {
    drop.current = onDrop
  })
  useEffect(() => {
    /** Needed because the browser reports each element that the pointer enters and leaves. */
    let depth = 0
    const setDepth = (value: number) => {
      depth = Math.max(0, value)
      setDragging(depth > 0 && !isOff)
    }
    const listen = (
      type: 'dragenter' | 'dragover' | 'dragleave' | 'drop',
      handle: (event: DragEvent) => void,
    ) => {
      const onlyFiles = (event: DragEvent) => {
        if (event.dataTransfer?.types.includes('Files') !== true) return
        event.preventDefault()
        handle(event)
      }
      window.addEventListener(type, onlyFiles)
      return () => window.removeEventListener(type, onlyFiles)
    }
    const stops = [
      listen('dragenter', () => setDepth(depth + 1)),
      listen('dragleave', () => setDepth(depth - 1)),
      listen('dragover', () => undefined),
      listen('drop', ({ dataTransfer }) => {
        setDepth(0)
        const files = [...(dataTransfer?.files ?? [])]
        if (!isOff && files.length > 0) drop.current(files)
      }),
    ]
    return () => stops.forEach((stop) => stop())
  }, [isOff])
  return isDragging
}

const ACCEPTED = `.vtt,.srt,.sbv,.ttml,.xml,.tsv,.txt,.md,.json,text/plain,text/vtt,application/json,${RECORDING_EXTENSIONS.join()},audio/*,video/*`

interface ImportDialogProps {
  /** The files that were dropped on the page. Empty if the user pressed the button. */
  dropped: File[]
  onClose: () => void
}

/** Imports transcripts of other products and recordings. The user chooses the project before anything is sent. */
function ImportDialog({ dropped, onClose }: ImportDialogProps) {
  const [files, setFiles] = useState(dropped)
  const [project, setProject] = useState('')
  const [title, setTitle] = useState('')
  const [startedAt, setStartedAt] = useState('')
  const [language, setLanguage] = useState('')
  const { results, isRunning, run } = useImportFiles(files)
  // Each file is a meeting with its own title and date.
  const isOne = files.length === 1
  const hasRecordings = files.some(isRecordingFile)
  const choices = {
    project,
    title: isOne ? title : '',
    startedAt: isOne ? startedAt : '',
    language: hasRecordings ? language : '',
  }
  return (
    <Dialog title="Import transcripts or recordings" size="lg" onClose={onClose}>
      {results === null ? (
        <Stack gap="md">
          <Text size="sm">
            Subtitles, text and JSON files from Google Meet, Microsoft Teams, Zoom, Otter,
            Fireflies, Fathom, Granola, Whisper, Hansard and others, up to 20 MiB each. Or
            recordings: WAV, MP3, Ogg, WebM, MP4 and M4A, whose speech is recognized here.
          </Text>
          <Group gap="sm">
            <FileButton multiple accept={ACCEPTED} onChange={setFiles}>
              {(props) => (
                <Button variant="default" {...props}>
                  Choose files
                </Button>
              )}
            </FileButton>
            <Text size="sm" c="dimmed" role="status">
              {files.length === 0 ? 'No files chosen' : formatCountWithNoun(files.length, 'file')}
            </Text>
          </Group>
          <FileNames files={files} />
          {isOne && (
            <Group align="flex-start">
              <TextInput
                label="Title"
                description="Default: the title in the file, or its name"
                value={title}
                maxLength={200}
                autoComplete="off"
                flex="1 1 210px"
                onChange={(event) => setTitle(event.currentTarget.value)}
              />
              <TextInput
                type="datetime-local"
                label="Started"
                description="Default: the date in the file"
                value={startedAt}
                flex="0 1 210px"
                onChange={(event) => setStartedAt(event.currentTarget.value)}
              />
            </Group>
          )}
          <Group>
            <ProjectInput
              value={project}
              description="Where the meetings are saved. Default: api"
              onChange={setProject}
            />
            {hasRecordings && (
              <TextInput
                label="Language"
                description="Of the speech, such as de. Default: English"
                value={language}
                maxLength={35}
                autoComplete="off"
                onChange={(event) => setLanguage(event.currentTarget.value)}
              />
            )}
          </Group>
          <WhoMayRead project={project} what="the meeting" />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button disabled={files.length === 0} onClick={() => void run(choices)}>
              Import
            </Button>
          </Group>
        </Stack>
      ) : (
        <Stack gap="md">
          <ul className="plain-list import-results" aria-label="Results">
            {results.map((result) => (
              <FileResultItem key={result.id} result={result} onOpen={onClose} />
            ))}
          </ul>
          <Group justify="space-between">
            <Text size="sm" role="status">
              {isRunning ? 'Importing…' : summarize(results)}
            </Text>
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}

function FileNames({ files }: { files: readonly File[] }) {
  if (files.length === 0) return null
  return (
    <List size="sm" aria-label="Files">
      {files.map(({ name, lastModified }) => (
        <List.Item key={`${name} ${lastModified}`} className="break-anywhere">
          {name}
        </List.Item>
      ))}
    </List>
  )
}

const WAITING_LABELS = { waiting: 'Waiting', running: 'Importing…' } as const

function FileResultItem({ result, onOpen }: { result: FileResult; onOpen: () => void }) {
  return (
    <li>
      <Text fw={600} size="sm" className="break-anywhere">
        {result.name}
      </Text>
      {(result.state === 'waiting' || result.state === 'running') && (
        <Hint>{WAITING_LABELS[result.state]}</Hint>
      )}
      {result.state === 'sending' && (
        <Progress value={result.percent} aria-label={`${result.name} sent`} my={6} />
      )}
      {result.state === 'sent' && (
        <Text size="sm">
          Sent. Its speech is recognized now, and the page Meetings shows how far.
        </Text>
      )}
      {result.state === 'imported' && <ImportedText imported={result.imported} onOpen={onOpen} />}
      {result.state === 'failed' &&
        result.problems.map((problem) => (
          <Text key={problem} size="sm" c="var(--mantine-color-error)" className="break-anywhere">
            {problem}
          </Text>
        ))}
    </li>
  )
}

function ImportedText({
  imported,
  onOpen,
}: {
  imported: Extract<FileResult, { state: 'imported' }>['imported']
  onOpen: () => void
}) {
  const { meetingId, segmentCount, format, warnings = [] } = imported
  return (
    <>
      <Text size="sm">
        Imported {formatCountWithNoun(segmentCount, 'segment')} ({IMPORT_FORMAT_TITLES[format]}).{' '}
        <TextLink {...meetingPage(meetingId)} onClick={onOpen} size="sm">
          Open the meeting
        </TextLink>
      </Text>
      {warnings.map(({ path, message }) => (
        <Hint key={`${path} ${message}`}>
          {message}.
          {path === 'startedAt' && ' To set it, open the meeting and choose More → Change date.'}
        </Hint>
      ))}
    </>
  )
}

function summarize(results: readonly FileResult[]): string {
  const failed = results.filter(({ state }) => state === 'failed').length
  const imported = formatCountWithNoun(results.length - failed, 'file')
  return failed === 0 ? `${imported} imported` : `${imported} imported, ${failed} not imported`
}

/** The result for one file. `problems` name the line and the reason. */
type FileResult = { id: number; name: string } & (
  | { state: 'waiting' | 'running' | 'sent' }
  | { state: 'sending'; percent: number }
  | { state: 'imported'; imported: ApiImportedTranscript }
  | { state: 'failed'; problems: string[] }
)

/** The user's choices for the files. An empty text means that the file decides. */
type ImportChoices = {
  project: string
  title: string
  /** A local time in the form of the browser's field. */
  startedAt: string
  /** Of the speech in recordings. */
  language: string
}

/** Reading and storing a long transcript takes a while. */
const TIMEOUT_MS = 120_000

function useImportFiles(files: readonly File[]) {
  const api = useApi()
  const refresh = useReload('meetings', 'meeting', 'recordings')
  const [results, setResults] = useState<readonly FileResult[] | null>(null)
  const [isRunning, setRunning] = useState(false)

  const importFile = async (
    file: File,
    choices: ImportChoices,
  ): Promise<ApiImportedTranscript | string[]> => {
    if (file.size > 2 * MAX_IMPORT_BYTES) return ['The file is larger than 20 MiB.']
    const bytes = await readBytes(file)
    if (bytes === null)
      return ['The file couldn’t be read. It may have been moved, or it is a folder.']
    const content = decodeTextFile(bytes)
    if (content === null)
      return [
        'This is not a text file. Export the transcript as text or WebVTT.',
        `The name of a recording ends with ${RECORDING_EXTENSIONS.slice(0, -1).join(', ')} or ${RECORDING_EXTENSIONS.at(-1)}.`,
      ]
    const body = { content, ...toFields(file, choices) }
    try {
      return await api.meetings.import(body, { timeoutMs: TIMEOUT_MS })
    } catch (error) {
      return describeProblems(error)
    }
  }
  const sendFile = async (
    file: File,
    choices: ImportChoices,
    onPercent: (percent: number) => void,
  ): Promise<string[]> => {
    const { language } = choices
    const fields = {
      ...toFields(file, choices),
      ...(language.trim() !== '' && { language: language.trim() }),
    }
    try {
      await sendRecording(api, file, fields, onPercent)
      return []
    } catch (error) {
      return describeProblems(error)
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
        if (isRecordingFile(file)) {
          const problems = await sendFile(file, choices, (percent) =>
            show(id, { id, name, state: 'sending', percent }),
          )
          if (problems.length > 0) show(id, { id, name, state: 'failed', problems })
          else show(id, { id, name, state: 'sent' })
          continue
        }
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

function toFields(file: File, { project, title, startedAt }: ImportChoices) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return {
    fileName: file.name,
    timeZone,
    ...(project.trim() !== '' && { project: project.trim() }),
    ...(title.trim() !== '' && { title }),
    ...(startedAt !== '' && { startedAt: new Date(startedAt).toISOString() }),
  }
}

function describeProblems(error: unknown): string[] {
  const { message, details, hint } = toApiError(error)
  if (details.length > 0) return details.map((detail) => `${detail.message}.`)
  return hint === undefined ? [`${message}.`] : [`${message}.`, hint]
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
