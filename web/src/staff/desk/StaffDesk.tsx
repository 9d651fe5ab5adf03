import { StaffPage } from '../StaffPage.tsx'
import { Figures, useFigures } from './Figures.tsx'
import * as texts from './texts.ts'
import { Waits } from './Waits.tsx'

/** The first page of the back office: what waits, and how the pool does. */
export const StaffDesk = () => (
  <StaffPage title={texts.dashboard} forRole={['support', 'curator', 'billing']}>
    <Parts />
  </StaffPage>
)

/** Both are asked for at once; the figures are shown once it is known how much stands above them. */
function Parts() {
  const asked = useFigures()
  return (
    <Waits>
      <Figures asked={asked} />
    </Waits>
  )
}
