import { Page } from '../ui/Page.tsx'

export const Playlists = () => <Page title="Playlists">{null}</Page>
