import { Card, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ApiCalendarApp } from '../../src/http/shapes/calendar-accounts.ts'
import {
  CALENDAR_PROVIDERS,
  MICROSOFT_CLOUDS,
  type CalendarProviderName,
  type MicrosoftCloud,
} from '../../src/http/shapes/values.ts'
import type { ApiClient } from '../api/client.ts'
import { PROVIDER_LABELS } from '../calendars/calendar-accounts.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { ConfirmDialog, FormDialog } from '../ui/dialogs.tsx'
import { QueryView, StatusMessage } from '../ui/feedback/feedback.tsx'
import { SecretField, SelectField, TextField, toOptions } from '../ui/fields.tsx'
import { readFormText } from '../ui/forms.tsx'
import { DescriptionList, SectionHeader, type DescriptionItem } from '../ui/layout.tsx'
import { RowButton } from '../ui/tables/data-table.tsx'
import { StateBadge } from '../ui/text.tsx'
import { CLOUD_LABELS } from './connection-form.tsx'
import { useCalendarApps } from './queries.ts'

/** The applications at the providers with which people connect their calendars, for admins. */
export function CalendarApps() {
  const query = useCalendarApps()
  return (
    <Stack gap="md">
      <SectionHeader
        title="Calendars of people"
        description="Register Hansard once at a provider, so that people can connect their own calendars with a click under Account → Calendars. docs/calendars.md has all steps."
      />
      <QueryView query={query} label="the applications">
        {({ apps, redirectUri }) => (
          <>
            <Stack gap={4}>
              <Text size="sm">Redirect URI to enter at the provider:</Text>
              <Group gap="xs">
                <Text size="sm" ff="monospace" className="break-anywhere">
                  {redirectUri}
                </Text>
                <CopyButton text={redirectUri} what="redirect URI" size="xs" />
              </Group>
            </Stack>
            <Stack component="ul" className="plain-list" gap="md">
              {CALENDAR_PROVIDERS.map((provider) => (
                <AppCard
                  key={provider}
                  provider={provider}
                  app={apps.find((one) => one.provider === provider) ?? null}
                />
              ))}
            </Stack>
          </>
        )}
      </QueryView>
    </Stack>
  )
}

interface AppProps {
  provider: CalendarProviderName
  /** Null if it is not set up. */
  app: ApiCalendarApp | null
}

function AppCard({ provider, app }: AppProps) {
  const [dialog, setDialog] = useState<'edit' | 'remove' | null>(null)
  const [message, setMessage] = useState('')
  const label = PROVIDER_LABELS[provider]
  return (
    <Card component="li" withBorder padding="lg">
      <Stack gap="sm">
        <Group gap="xs">
          <Text fw={650}>{label}</Text>
          <StateBadge colour={app === null ? 'grey' : 'moss'}>
            {app === null ? 'Not set up' : 'Set up'}
          </StateBadge>
        </Group>
        {app !== null && <DescriptionList facts={listFacts(app)} />}
        <Group gap="xs">
          <RowButton
            label={app === null ? 'Set up' : 'Edit'}
            of={label}
            onClick={() => setDialog('edit')}
          />
          {app !== null && (
            <RowButton label="Remove" of={label} onClick={() => setDialog('remove')} />
          )}
          <StatusMessage>{message}</StatusMessage>
        </Group>
      </Stack>
      {dialog === 'edit' && (
        <AppForm
          provider={provider}
          app={app}
          onClose={() => setDialog(null)}
          onSaved={() => setMessage('Saved. People can connect their calendars.')}
        />
      )}
      {dialog === 'remove' && (
        <ConfirmDialog
          title={`Remove the application for ${label}?`}
          confirmLabel="Remove application"
          onClose={() => setDialog(null)}
          onConfirm={(api) => api.calendarApps.remove(provider)}
          reloads={['calendar-apps']}
        >
          Calendars that people connected are not read any more, until an application is set up
          again. Their rules and plans stay.
        </ConfirmDialog>
      )}
    </Card>
  )
}

function listFacts({ clientId, tenant, cloud }: ApiCalendarApp): DescriptionItem[] {
  return [
    ['Client ID', <bdi key="id">{clientId}</bdi>],
    ...(tenant === null ? [] : [['Tenant', tenant] as DescriptionItem]),
    ...(cloud === null ? [] : [['Cloud', CLOUD_LABELS[cloud]] as DescriptionItem]),
  ]
}

/** Sets up or changes an application. A stored secret is never shown; an empty field keeps it. */
function AppForm({
  provider,
  app,
  onClose,
  onSaved,
}: AppProps & { onClose: () => void; onSaved: () => void }) {
  const submit = async (api: ApiClient, values: FormData) => {
    const clientSecret = readFormText(values, 'clientSecret')
    await api.calendarApps.update(provider, {
      clientId: readFormText(values, 'clientId'),
      ...(clientSecret !== '' && { clientSecret }),
      ...(provider === 'microsoft' && {
        tenant: readFormText(values, 'tenant'),
        cloud: readFormText(values, 'cloud') as MicrosoftCloud,
      }),
    })
  }
  return (
    <FormDialog
      title={`Calendars of ${PROVIDER_LABELS[provider]}`}
      size="lg"
      submitLabel="Save"
      onSubmit={submit}
      reloads={['calendar-apps']}
      onClose={onClose}
      onSaved={onSaved}
    >
      <TextField
        name="clientId"
        label="Client ID"
        defaultValue={app?.clientId ?? ''}
        maxLength={200}
        hasAutofocus
      />
      <SecretField
        name="clientSecret"
        label="Client secret"
        description={`Its value, not its ID. It is stored encrypted and never shown again.${app === null ? '' : ' Leave empty to keep the current one.'}`}
        maxLength={500}
        isOptional={app !== null}
      />
      {provider === 'microsoft' && (
        <>
          <TextField
            name="tenant"
            label="Tenant"
            description="The directory (tenant) ID of your organization. organizations: people of all organizations; common: also personal accounts."
            defaultValue={app?.tenant ?? 'organizations'}
            maxLength={200}
          />
          <SelectField
            name="cloud"
            label="Cloud"
            defaultValue={app?.cloud ?? 'global'}
            data={toOptions(CLOUD_LABELS, MICROSOFT_CLOUDS)}
          />
        </>
      )}
    </FormDialog>
  )
}
