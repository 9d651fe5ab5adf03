import {
  chooseLoudness,
  chooseNotation,
  chooseScheme,
  LOUDNESS,
  type Loudness,
  NOTATIONS,
  type Notation,
  type Scheme,
  usePreferences,
} from '../../platform/preferences.ts'
import * as texts from '../texts.ts'
import { AccountPage } from './AccountPage.tsx'
import { ChoiceCards } from './ChoiceCards.tsx'
import { PreferredVersions } from './PreferredVersions.tsx'
import { ListRowSkeleton } from './Skeletons.tsx'

const NOTATION_WORDS: Record<Notation, { name: string; note: string }> = {
  camelot: { name: texts.camelot, note: '8A, 8B, 9A' },
  musical: { name: texts.musical, note: texts.amCEm },
  open: { name: texts.openKey, note: '1m, 1d, 2m' },
}

const SCHEMES: Scheme[] = ['dark', 'light']

const SCHEME_WORDS: Record<Scheme, { name: string; note: string }> = {
  dark: { name: texts.dark, note: texts.forLowLight },
  light: { name: texts.light, note: texts.forDaylight },
}

const LOUDNESS_WORDS: Record<Loudness, { name: string; note: string }> = {
  even: { name: texts.normalised, note: texts.similarVolumeHint },
  original: { name: texts.original, note: texts.asMastered },
}

/** How the site looks and sounds for the member, in every browser. */
export const DisplaySettings = () => (
  <AccountPage title={texts.display} skeleton={<ListRowSkeleton count={3} height_px={110} />}>
    {() => <DisplayOptions />}
  </AccountPage>
)

function DisplayOptions() {
  const { notation, scheme, loudness } = usePreferences()
  return (
    <>
      <p>{texts.changesSaveAutomaticallyOnAll}</p>
      <ChoiceCards
        title={texts.keyNotation}
        choices={NOTATIONS.map((value) => ({ value, ...NOTATION_WORDS[value] }))}
        chosen={notation}
        onChoose={chooseNotation}
      />
      <ChoiceCards
        title={texts.theme}
        choices={SCHEMES.map((value) => ({ value, ...SCHEME_WORDS[value] }))}
        chosen={scheme}
        onChoose={chooseScheme}
      />
      <ChoiceCards
        title={texts.previewVolume}
        choices={LOUDNESS.map((value) => ({ value, ...LOUDNESS_WORDS[value] }))}
        chosen={loudness}
        onChoose={chooseLoudness}
      />
      <PreferredVersions />
    </>
  )
}
