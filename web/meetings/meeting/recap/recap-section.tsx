import './recap.css'
import { Title } from '@mantine/core'
import { useState } from 'react'
import type { WireMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import { RecapPanel } from './recap-panel.tsx'

interface RecapSectionProps {
  meeting: WireMeetingDetail
  /** Whether the meeting ended while the page was open. */
  endedMeanwhile: boolean
}

/** The recap of a meeting that is over, first on its page. Marked for a moment if it becomes ready while the page is open. */
export function RecapSection({ meeting, endedMeanwhile }: RecapSectionProps) {
  const [isNew, setNew] = useState(false)
  return (
    <section className={isNew ? 'recap recap-new' : 'recap'} aria-labelledby="recap">
      <Title order={2} fz="1.125rem" id="recap">
        Recap
      </Title>
      <RecapPanel
        meeting={meeting}
        isExpected={endedMeanwhile}
        isNew={isNew}
        onReady={() => setNew(true)}
      />
    </section>
  )
}
