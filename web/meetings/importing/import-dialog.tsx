import { Button, FileButton, Group, List, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { IMPORT_FORMAT_TITLES } from '../../../src/http/shapes/values.ts'
import { WhoMayRead } from '../../access/who-may-read.tsx'
import { ProjectInput } from '../../projects/project-filter-field.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { formatCountWithNoun } from '../../ui/format/format-text.ts'
import { TextLink } from '../../ui/links.tsx'
import { useImportFiles, type FileResult } from './use-import-files.ts'

const ACCEPTED =
  '.vtt,.srt,.sbv,.ttml,.xml,.tsv,.txt,.md,.json,text/plain,text/vtt,application/json'

interface ImportDialogProps {
  /** The files that were dropped on the page. Empty if the user pressed the button. */
  dropped: File[]
  onClose: () => void
}

/** Imports transcripts of other products. The user chooses the project before anything is sent. */
export function ImportDialog({ dropped, onClose }: ImportDialogProps) {
  const [files, setFiles] = useState(dropped)
  const [project, setProject] = useState('')
  const [title, setTitle] = useState('')
  const [startedAt, setStartedAt] = useState('')
  const { results, isRunning, run } = useImportFiles(files)
  // Each file is a meeting with its own title and date.
  const isOne = files.length === 1
  const choices = { project, title: isOne ? title : '', startedAt: isOne ? startedAt : '' }
  return (
    <Dialog title="Import a transcript" size="lg" onClose={onClose}>
      {results === null ? (
        <Stack gap="md">
          <Text size="sm">
            Subtitles, text and JSON files from Google Meet, Microsoft Teams, Zoom, Otter,
            Fireflies, Fathom, Granola, Whisper, Hansard and others, up to 20 MiB each.
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
              description="Where the transcripts are saved. Default: api"
              onChange={setProject}
            />
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
        <Text size="sm" c="dimmed">
          {WAITING_LABELS[result.state]}
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
        <TextLink to="/meetings/$meetingId" params={{ meetingId }} onClick={onOpen} size="sm">
          Open the meeting
        </TextLink>
      </Text>
      {warnings.map(({ path, message }) => (
        <Text key={`${path} ${message}`} size="sm" c="dimmed">
          {message}.
          {path === 'startedAt' && ' To set it, open the meeting and choose More → Change date.'}
        </Text>
      ))}
    </>
  )
}

function summarize(results: readonly FileResult[]): string {
  const failed = results.filter(({ state }) => state === 'failed').length
  const imported = formatCountWithNoun(results.length - failed, 'file')
  return failed === 0 ? `${imported} imported` : `${imported} imported, ${failed} not imported`
}
