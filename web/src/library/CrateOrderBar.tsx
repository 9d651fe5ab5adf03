import type { library } from '@dubplate/contract'
import { IconWaveSine } from '@tabler/icons-react'
import { useState } from 'react'
import { useListAddress } from '../catalogue/useListAddress.ts'
import { Button } from '../ui/Button.tsx'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import { Switch } from '../ui/Switch.tsx'
import css from './CrateOrder.module.css'
import { chooseCrateOrder } from './crateOrder.ts'
import { showTransitions, useTransitionsShown } from './crateTransitions.ts'
import * as texts from './texts.ts'

const ArrangeCrate = lazyOnDemand(() => import('./ArrangeCrate.tsx').then((code) => code.ArrangeCrate))

type Props = {
  order: library.CrateOrder
  /** True if a genre or a filter leaves songs out. */
  isFiltered: boolean
  /** The first song of the crate, if it is on screen. */
  first: { entity_id: number; title: string } | undefined
}

/** Chooses how the crate is ordered, arranges it as a set, and shows or hides the transitions. */
export function CrateOrderBar({ order, isFiltered, first }: Props) {
  const { change } = useListAddress()
  const { isShown } = useTransitionsShown()
  const [isArranging, setArranging] = useState(false)
  const [choice, setChoice] = useState<library.CrateOrder>()
  const choose = async (order: library.CrateOrder) => {
    setChoice(order)
    await chooseCrateOrder(order)
    setChoice(undefined)
  }
  return (
    <section className={css.bar} aria-label={texts.crateOrder}>
      <label className={css.order}>
        <span>{texts.order}</span>
        <select value={choice ?? order} onChange={({ target }) => void choose(target.value as library.CrateOrder)}>
          <option value="newest">{texts.newestFirst}</option>
          <option value="own">{texts.myOrder}</option>
        </select>
      </label>
      <Button onClick={() => setArranging(true)}>
        <IconWaveSine size={16} aria-hidden />
        {texts.arrangeAsASet}
      </Button>
      <Switch
        checked={isShown}
        onChange={showTransitions}
        note={isShown && isFiltered ? texts.hiddenWhileFiltered : undefined}
      >
        {texts.showTransitions}
      </Switch>
      {isArranging && <ArrangeCrate first={first} onArranged={() => change({})} onClose={() => setArranging(false)} />}
    </section>
  )
}
