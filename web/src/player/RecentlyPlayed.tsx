import { Page } from '../ui/Page.tsx'

export const RecentlyPlayed = () => <Page title="Recently played">{null}</Page>
