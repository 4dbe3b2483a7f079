// Compiles SPIR-V compute shaders by the first Vulkan driver, and prints what its compiler says about each
// (VK_KHR_pipeline_executable_properties), with tabs between the numbers: compile-stats FILE.spv...
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <vulkan/vulkan.h>

enum { MOST_SETS = 4, MOST_BINDINGS = 64 };

// Words of SPIR-V: opcodes, decorations, the storage class of uniform buffers.
enum { OP_ENTRY_POINT = 15, OP_VARIABLE = 59, OP_DECORATE = 71, BINDING = 33, DESCRIPTOR_SET = 34, UNIFORM = 2 };

static void expect(VkResult result, const char *what) {
  if (result == VK_SUCCESS) return;
  fprintf(stderr, "compile-stats: %s: %d\n", what, result);
  exit(1);
}

static double milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static VkDevice openDevice(void) {
  const VkApplicationInfo application = { VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3 };
  const VkInstanceCreateInfo instanceInfo = {
    VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application
  };
  VkInstance instance;
  expect(vkCreateInstance(&instanceInfo, NULL, &instance), "vkCreateInstance");
  uint32_t count = 1;
  VkPhysicalDevice adapter;
  vkEnumeratePhysicalDevices(instance, &count, &adapter);
  if (count == 0) expect(VK_ERROR_INITIALIZATION_FAILED, "no adapter");
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(adapter, &properties);
  fprintf(stderr, "%s\n", properties.deviceName);
  const float priority = 1;
  const VkDeviceQueueCreateInfo queue = {
    VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority
  };
  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executable = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR
  };
  VkPhysicalDeviceVulkan13Features features13 = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, &executable };
  VkPhysicalDeviceVulkan12Features features12 = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &features13 };
  VkPhysicalDeviceVulkan11Features features11 = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, &features12 };
  VkPhysicalDeviceFeatures2 features = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &features11 };
  vkGetPhysicalDeviceFeatures2(adapter, &features);
  executable.pipelineExecutableInfo = VK_TRUE;
  const char *extensions[] = { "VK_KHR_pipeline_executable_properties", "VK_KHR_shader_maximal_reconvergence" };
  const VkDeviceCreateInfo deviceInfo = {
    VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
    &features,
    .queueCreateInfoCount = 1,
    .pQueueCreateInfos = &queue,
    .enabledExtensionCount = 2,
    .ppEnabledExtensionNames = extensions,
  };
  VkDevice device;
  expect(vkCreateDevice(adapter, &deviceInfo, NULL, &device), "vkCreateDevice");
  return device;
}

// What a module says about itself: its entry point, and the layout of its bindings.
struct Module {
  char entryPoint[256];
  VkDescriptorSetLayoutBinding bindings[MOST_SETS][MOST_BINDINGS];
  uint32_t bindingCounts[MOST_SETS];
};

static void readModule(const uint32_t *words, size_t count, struct Module *module) {
  memset(module, 0, sizeof *module);
  const uint32_t bound = words[3];
  int *sets = malloc(bound * sizeof *sets);
  int *places = malloc(bound * sizeof *places);
  int *classes = malloc(bound * sizeof *classes);
  memset(sets, -1, bound * sizeof *sets);
  memset(places, -1, bound * sizeof *places);
  memset(classes, -1, bound * sizeof *classes);
  for (size_t at = 5; at < count; at += words[at] >> 16) {
    const uint32_t operation = words[at] & 0xffff;
    if (operation == OP_DECORATE && words[at + 2] == DESCRIPTOR_SET) sets[words[at + 1]] = words[at + 3];
    if (operation == OP_DECORATE && words[at + 2] == BINDING) places[words[at + 1]] = words[at + 3];
    if (operation == OP_VARIABLE) classes[words[at + 2]] = words[at + 3];
    if (operation == OP_ENTRY_POINT) strncpy(module->entryPoint, (const char *)&words[at + 3], 255);
  }
  for (uint32_t id = 0; id < bound; id++) {
    if (sets[id] < 0 || sets[id] >= MOST_SETS || places[id] < 0) continue;
    const VkDescriptorType type =
      classes[id] == UNIFORM ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    module->bindings[sets[id]][module->bindingCounts[sets[id]]++] =
      (VkDescriptorSetLayoutBinding){ places[id], type, 1, VK_SHADER_STAGE_COMPUTE_BIT };
  }
  free(sets);
  free(places);
  free(classes);
}

static VkPipelineLayout createLayout(VkDevice device, const struct Module *module) {
  VkDescriptorSetLayout sets[MOST_SETS];
  for (int set = 0; set < MOST_SETS; set++) {
    const VkDescriptorSetLayoutCreateInfo info = {
      VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
      .bindingCount = module->bindingCounts[set],
      .pBindings = module->bindings[set],
    };
    expect(vkCreateDescriptorSetLayout(device, &info, NULL, &sets[set]), "vkCreateDescriptorSetLayout");
  }
  const VkPushConstantRange constants = { VK_SHADER_STAGE_COMPUTE_BIT, 0, 128 };
  const VkPipelineLayoutCreateInfo info = {
    VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
    .setLayoutCount = MOST_SETS,
    .pSetLayouts = sets,
    .pushConstantRangeCount = 1,
    .pPushConstantRanges = &constants,
  };
  VkPipelineLayout layout;
  expect(vkCreatePipelineLayout(device, &info, NULL, &layout), "vkCreatePipelineLayout");
  return layout;
}

static uint32_t *readWords(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) expect(VK_ERROR_UNKNOWN, path);
  fseek(file, 0, SEEK_END);
  *size = ftell(file);
  rewind(file);
  uint32_t *words = malloc(*size);
  if (fread(words, 1, *size, file) != *size) expect(VK_ERROR_UNKNOWN, path);
  fclose(file);
  return words;
}

// Prints the names of the numbers before the first line of them.
static void printStatistics(VkDevice device, VkPipeline pipeline, const char *path, double time) {
  static int hasHead = 0;
  const PFN_vkGetPipelineExecutableStatisticsKHR getStatistics =
    (PFN_vkGetPipelineExecutableStatisticsKHR)vkGetDeviceProcAddr(device, "vkGetPipelineExecutableStatisticsKHR");
  const VkPipelineExecutableInfoKHR info = { VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, .pipeline = pipeline };
  uint32_t count = 0;
  getStatistics(device, &info, &count, NULL);
  VkPipelineExecutableStatisticKHR *statistics = calloc(count, sizeof *statistics);
  for (uint32_t i = 0; i < count; i++) statistics[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
  getStatistics(device, &info, &count, statistics);
  if (!hasHead) {
    printf("file\tmilliseconds");
    for (uint32_t i = 0; i < count; i++) printf("\t%s", statistics[i].name);
    printf("\n");
    hasHead = 1;
  }
  printf("%s\t%.1f", path, time);
  for (uint32_t i = 0; i < count; i++) printf("\t%llu", (unsigned long long)statistics[i].value.u64);
  printf("\n");
  free(statistics);
}

int main(int argumentCount, char **paths) {
  const VkDevice device = openDevice();
  for (int i = 1; i < argumentCount; i++) {
    size_t size;
    uint32_t *words = readWords(paths[i], &size);
    struct Module module;
    readModule(words, size / 4, &module);
    const VkShaderModuleCreateInfo moduleInfo = {
      VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = words
    };
    VkShaderModule shader;
    expect(vkCreateShaderModule(device, &moduleInfo, NULL, &shader), paths[i]);
    const VkComputePipelineCreateInfo pipelineInfo = {
      VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR,
      .stage = {
        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
        .module = shader,
        .pName = module.entryPoint,
      },
      .layout = createLayout(device, &module),
    };
    VkPipeline pipeline;
    const double start = milliseconds();
    // A kernel that the compiler refuses ends the program.
    expect(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &pipelineInfo, NULL, &pipeline), paths[i]);
    printStatistics(device, pipeline, paths[i], milliseconds() - start);
    free(words);
  }
  return 0;
}
