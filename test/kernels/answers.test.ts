/** What holds on every backend, on WebGPU. */

import { describeAnswers } from '../support-answers.ts';

describeAnswers('webgpu');
