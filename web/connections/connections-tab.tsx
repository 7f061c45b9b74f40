import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ConnectionCard } from './connection-card.tsx'
import { ConnectionForm } from './connection-form.tsx'
import { useConnections } from './queries.ts'
import { QueryView, StatusMessage } from '../ui/feedback/feedback.tsx'
import { SectionHeader } from '../ui/layout/headings.tsx'

/** The organization's connections to Microsoft 365, for admins. */
export function ConnectionsTab() {
  const query = useConnections()
  const [isAdding, setAdding] = useState(false)
  const [note, setNote] = useState('')
  return (
    <Stack gap="lg">
      <SectionHeader
        title="Connections"
        description="Hansard reads the official transcripts of Microsoft Teams, without a bot in the meeting. An administrator of Microsoft 365 registers it once as an application; docs/connections.md has all steps."
      >
        <Button onClick={() => setAdding(true)}>Connect Microsoft 365</Button>
      </SectionHeader>
      <StatusMessage>{note}</StatusMessage>
      <QueryView query={query} label="the connections">
        {({ connections }) =>
          connections.length === 0 ? (
            <Text>No connections yet. Bots join the meetings and read their captions.</Text>
          ) : (
            <Stack component="ul" gap="md" p={0} m={0} style={{ listStyle: 'none' }}>
              {connections.map((connection) => (
                <ConnectionCard key={connection.id} connection={connection} />
              ))}
            </Stack>
          )
        }
      </QueryView>
      {isAdding && (
        <ConnectionForm
          connection={null}
          onClose={() => setAdding(false)}
          onSaved={() => setNote('Connected. Check it to see whether everything is in place.')}
        />
      )}
    </Stack>
  )
}
