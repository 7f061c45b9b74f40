import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OfficialMode } from '../../src/http/shapes/values.ts'
import { useProjectRights } from '../access/queries.ts'
import { isNotFoundError } from '../api/api-error.ts'
import { MAY_BE_MISSING, type ApiClient } from '../api/client.ts'
import { useApi } from '../api/use-api.tsx'
import { OFFICIAL_MODE_LABELS } from '../meetings/official-labels.ts'
import { FormDialog } from '../ui/dialogs.tsx'
import { QueryView, StatusMessage } from '../ui/feedback/feedback.tsx'
import { SelectField, toOptions } from '../ui/fields.tsx'
import { readFormText } from '../ui/forms.tsx'
import { Section } from '../ui/layout.tsx'

/** What the project does with official transcripts of meetings that bots attended. Editors can change it. */
export function TranscriptSettingsSection({ project }: { project: string }) {
  const api = useApi()
  const query = useQuery({
    queryKey: ['projects', 'transcript-settings', project],
    queryFn: () => api.projects.transcriptSettings(project, MAY_BE_MISSING),
  })
  const { canEdit } = useProjectRights(project)
  const [isOpen, setOpen] = useState(false)
  const [note, setNote] = useState('')
  // The list of transcripts already says that there is no such project.
  if (isNotFoundError(query.error)) return null
  return (
    <Section id="project-official-transcripts" title="Official transcripts">
      <StatusMessage>{note}</StatusMessage>
      <QueryView query={query} label="the settings of transcripts">
        {({ officialTranscripts }) => (
          <>
            <Group justify="space-between" gap="sm" align="flex-start">
              <Text size="sm">{OFFICIAL_MODE_LABELS[officialTranscripts]}</Text>
              {canEdit && (
                <Button variant="default" size="xs" onClick={() => setOpen(true)}>
                  Change official transcripts
                </Button>
              )}
            </Group>
            {isOpen && (
              <TranscriptSettingsDialog
                project={project}
                mode={officialTranscripts}
                onClose={() => setOpen(false)}
                onSaved={() => setNote('Transcripts that are found from now on follow this.')}
              />
            )}
          </>
        )}
      </QueryView>
    </Section>
  )
}

interface TranscriptSettingsDialogProps {
  project: string
  mode: OfficialMode
  onClose: () => void
  onSaved: () => void
}

function TranscriptSettingsDialog(props: TranscriptSettingsDialogProps) {
  const { project, mode, onClose, onSaved } = props
  const submit = async (api: ApiClient, values: FormData) => {
    const officialTranscripts = readFormText(values, 'officialTranscripts') as OfficialMode
    await api.projects.updateTranscriptSettings(project, { officialTranscripts })
  }
  return (
    <FormDialog
      title="Official transcripts"
      submitLabel="Save"
      onSubmit={submit}
      reloads={['projects']}
      onSaved={onSaved}
      onClose={onClose}
    >
      <SelectField
        name="officialTranscripts"
        label="When a bot attended the meeting"
        description="A person can change it for a meeting later, and undo it."
        data={toOptions(OFFICIAL_MODE_LABELS)}
        defaultValue={mode}
        hasAutofocus
      />
    </FormDialog>
  )
}
