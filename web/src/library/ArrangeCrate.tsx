import { library } from '@dubplate/contract'
import { useState } from 'react'
import { format } from '../format/message.ts'
import { ChoiceCards } from '../membership/account/ChoiceCards.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { Switch } from '../ui/Switch.tsx'
import css from './CrateOrder.module.css'
import { arrangeCrate } from './crateOrder.ts'
import { showTransitions } from './crateTransitions.ts'
import { useLibrary } from './library.ts'
import * as texts from './texts.ts'

const [WIDTH, HEIGHT] = [44, 18]

const Curve = ({ curve }: { curve: library.EnergyCurve }) => (
  <svg className={css.curve} viewBox={`-2 -2 ${WIDTH + 4} ${HEIGHT + 4}`} width={WIDTH} height={HEIGHT} aria-hidden>
    <polyline
      points={library.CURVE_POINTS[curve].map(([at, level]) => `${at * WIDTH},${(1 - level) * HEIGHT}`).join(' ')}
    />
  </svg>
)

const CHOICES = (
  [
    ['warm_up', texts.warmUp, texts.warmUpNote],
    ['peak_time', texts.peakTime, texts.peakTimeNote],
    ['cool_down', texts.coolDown, texts.coolDownNote],
    ['full_night', texts.fullNight, texts.fullNightNote],
  ] as const
).map(([value, name, note]) => ({ value, name, note, picture: <Curve curve={value} /> }))

type Props = {
  /** The first song of the crate, if it is on screen. */
  first: { entity_id: number; title: string } | undefined
  onArranged: () => void
  onClose: () => void
}

/** Chooses the energy curve of a set, and arranges the crate. */
export function ArrangeCrate({ first, onArranged, onClose }: Props) {
  const count = useLibrary(({ crateCount }) => crateCount)
  const [curve, setCurve] = useState<library.EnergyCurve>('warm_up')
  const [startsWithFirst, setStartsWithFirst] = useState(false)
  const arrange = async () => {
    await arrangeCrate(curve, startsWithFirst ? first?.entity_id : undefined)
    showTransitions(true)
    onArranged()
  }
  return (
    <ConfirmDialog
      title={texts.arrangeAsASet}
      what={format(texts.arrangeExplained, { count })}
      confirmLabel={texts.arrange}
      onConfirm={arrange}
      onClose={onClose}
    >
      <ChoiceCards title={texts.energyCurve} choices={CHOICES} chosen={curve} onChoose={setCurve} />
      {first && (
        <Switch checked={startsWithFirst} onChange={setStartsWithFirst}>
          {format(texts.startWith, { title: first.title })}
        </Switch>
      )}
    </ConfirmDialog>
  )
}
