/** What holds on every backend, on the CPU. */

import { describeAnswers } from '../support-answers.ts';

describeAnswers('cpu');
