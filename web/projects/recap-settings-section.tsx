import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiRecapSettings } from '../../src/http/shapes/recap-settings.ts'
import { RECAP_SECTIONS } from '../../src/http/shapes/values.ts'
import { useProjectRights } from '../access/queries.ts'
import { useApi, useAppState } from '../api/app-state.tsx'
import { MAY_BE_MISSING } from '../api/client.ts'
import { isNotFoundError } from '../api/api-error.ts'
import { RECAP_SECTION_LABELS } from '../meetings/meeting/recap/recap-labels.ts'
import { QueryView, StatusMessage } from '../ui/feedback/feedback.tsx'
import { RecapSettingsDialog } from './recap-settings-dialog.tsx'
import { languageNameOf } from './recap-languages.ts'
import { RECAP_MAIL_LABELS } from './recap-mail-labels.ts'

/** What the recaps of the project are. Editors can change it. */
export function RecapSettingsSection({ project }: { project: string }) {
  const api = useApi()
  const query = useQuery({
    queryKey: ['projects', 'recap-settings', project],
    queryFn: () => api.projects.recapSettings(project, MAY_BE_MISSING),
  })
  const { canEdit } = useProjectRights(project)
  const [isOpen, setOpen] = useState(false)
  const [note, setNote] = useState('')
  // The list of transcripts already says that there is no such project.
  if (isNotFoundError(query.error)) return null
  return (
    <Stack gap="sm" component="section" aria-labelledby="project-recaps">
      <Title order={2} id="project-recaps">
        Recaps
      </Title>
      <StatusMessage>{note}</StatusMessage>
      <QueryView query={query} label="the settings of recaps">
        {(settings) => (
          <>
            <Group justify="space-between" gap="sm" align="flex-start">
              <RecapSettings settings={settings} />
              {canEdit && (
                <Button variant="default" size="xs" onClick={() => setOpen(true)}>
                  Change recaps
                </Button>
              )}
            </Group>
            {isOpen && (
              <RecapSettingsDialog
                project={project}
                settings={settings}
                onClose={() => setOpen(false)}
                onSaved={() => {
                  setNote('New recaps of this project follow these settings.')
                  setOpen(false)
                }}
              />
            )}
          </>
        )}
      </QueryView>
    </Stack>
  )
}

function RecapSettings({ settings }: { settings: ApiRecapSettings }) {
  const { hasMail } = useAppState()
  const { recapLanguage, sections, instructions, recapMail, mailsGuests } = settings
  const isUsual = sections.length === RECAP_SECTIONS.length && sections.every(isInUsualPlace)
  return (
    <Stack gap={4} flex="1 1 260px">
      <Text size="sm">
        {isUsual ? 'All sections in the usual order' : sections.map(labelOf).join(', ')}
        {recapLanguage !== null && ` · in ${languageNameOf(recapLanguage)}`}
      </Text>
      {hasMail && recapMail !== 'nobody' && (
        <Text size="sm">
          By mail to: {RECAP_MAIL_LABELS[recapMail]}
          {mailsGuests && ', and invited people without an account'}
        </Text>
      )}
      {instructions !== '' && (
        <Text size="sm" c="dimmed" className="break-anywhere" lineClamp={3}>
          Instructions: <bdi>{instructions}</bdi>
        </Text>
      )}
    </Stack>
  )
}

type Section = ApiRecapSettings['sections'][number]
const labelOf = (section: Section) => RECAP_SECTION_LABELS[section]
const isInUsualPlace = (section: Section, i: number) => section === RECAP_SECTIONS[i]
