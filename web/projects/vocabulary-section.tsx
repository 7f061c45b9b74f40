import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_TERM_CHARS, MAX_TERMS } from '../../src/http/shapes/values.ts'
import { useProjectRights } from '../access/queries.ts'
import { isNotFoundError } from '../api/api-error.ts'
import { MAY_BE_MISSING, type ApiClient } from '../api/client.ts'
import { useApi } from '../api/use-api.tsx'
import { FormDialog } from '../ui/dialogs.tsx'
import { QueryView, StatusMessage } from '../ui/feedback/feedback.tsx'
import { TextAreaField } from '../ui/fields.tsx'
import { readFormText } from '../ui/forms.tsx'
import { Section } from '../ui/layout.tsx'

/** Names and terms with which recognized speech of the project's meetings is corrected. Editors can change them. */
export function VocabularySection({ project }: { project: string }) {
  const api = useApi()
  const query = useQuery({
    queryKey: ['projects', 'vocabulary', project],
    queryFn: () => api.projects.vocabulary(project, MAY_BE_MISSING),
  })
  const { canEdit } = useProjectRights(project)
  const [isOpen, setOpen] = useState(false)
  const [note, setNote] = useState('')
  // The list of transcripts already says that there is no such project.
  if (isNotFoundError(query.error)) return null
  return (
    <Section id="project-vocabulary" title="Vocabulary">
      <StatusMessage>{note}</StatusMessage>
      <QueryView query={query} label="the vocabulary">
        {({ terms }) => (
          <>
            <Group justify="space-between" gap="sm" align="flex-start">
              <Text size="sm" flex="1 1 260px" miw={0} className="break-anywhere" lineClamp={3}>
                {terms.length === 0 ? (
                  'Add names and terms that Hansard should spell correctly when it recognizes speech.'
                ) : (
                  <bdi>{terms.join(', ')}</bdi>
                )}
              </Text>
              {canEdit && (
                <Button variant="default" size="xs" onClick={() => setOpen(true)}>
                  Change vocabulary
                </Button>
              )}
            </Group>
            {isOpen && (
              <VocabularyDialog
                project={project}
                terms={terms}
                onClose={() => setOpen(false)}
                onSaved={() => setNote('Bots that join from now on use this vocabulary.')}
              />
            )}
          </>
        )}
      </QueryView>
    </Section>
  )
}

interface VocabularyDialogProps {
  project: string
  terms: readonly string[]
  onClose: () => void
  onSaved: () => void
}

function VocabularyDialog({ project, terms, onClose, onSaved }: VocabularyDialogProps) {
  // What was shown when the dialog opened, so that entries that others add meanwhile stay.
  const [shown] = useState(terms)
  const submit = async (api: ApiClient, values: FormData) => {
    const entered = readLines(readFormText(values, 'add'))
    await api.projects.updateVocabulary(project, {
      add: entered.filter((term) => !shown.includes(term)),
      remove: shown.filter((term) => !entered.includes(term)),
    })
  }
  return (
    <FormDialog
      title="Vocabulary of this project"
      submitLabel="Save"
      onSubmit={submit}
      reloads={['projects']}
      onClose={onClose}
      onSaved={onSaved}
    >
      <TextAreaField
        name="add"
        label="Names and terms"
        description={`One per line, spelt as they should appear. Participants and invited people are known already. At most ${MAX_TERMS.toLocaleString('en')} lines of ${MAX_TERM_CHARS} characters.`}
        placeholder={'Priya Raghunathan\nNextcloud'}
        defaultValue={shown.join('\n')}
        autosize
        minRows={6}
        maxRows={16}
        spellCheck={false}
        isOptional
        hasAutofocus
      />
    </FormDialog>
  )
}

function readLines(text: string): string[] {
  const lines = text.split('\n').map((line) => line.replaceAll(/\s+/g, ' ').trim())
  return [...new Set(lines)].filter((line) => line !== '')
}
