import { QueryClientProvider } from '@tanstack/preact-query';
import { render } from 'preact';
import './styles/index.css';
import { queries } from './client/queries.js';
import { keptTheme, showTheme } from './frame/appearance.js';
import { App } from './frame/app.js';
import { guardBackAndForward } from './parts/leaving.js';
import { followReturns } from './parts/returning.js';
import { guardSecondClicks } from './parts/second-clicks.js';

showTheme(keptTheme());
guardSecondClicks();
guardBackAndForward();
followReturns();
const place = document.getElementById('app');
if (place) {
  render(
    <QueryClientProvider client={queries}>
      <App />
    </QueryClientProvider>,
    place,
  );
}
